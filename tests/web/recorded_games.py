"""Records of games for the tests of replays, with faults and words at known turns."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from joute.core.interface import legal, properties
from joute.core.registry import make
from joute.host.limits import Limits
from joute.host.protocol import Answer, Fault
from joute.play.chance import derive
from joute.play.game import GameSpec, SeatSpec
from joute.play.record import Writer, read_record
from joute.play.referee import play_game
from joute.play.seats import answer

TRACEBACK = 'Traceback (most recent call last):\n  File "bob.py"\nKeyError: <b>nothing</b>'
ROOM = "tron 1\nname room\nsize 7 5 1\nfloor 0\n#######\n#1    #\n#     #\n#    2#\n#######\nend\n"
SMALL = """<?xml version="1.0"?>
<Map Columns="5" Rows="3"><Humans X="2" Y="0" Count="2"/>
<Vampires X="1" Y="1" Count="4"/><Werewolves X="3" Y="1" Count="4"/></Map>"""
GAMES = {
    "virus": ({"size": 5}, ("greedy", "random")),
    "tron": ({"map": ROOM}, ("random", "random")),
    "vampires": ({"map": SMALL, "plies": 6}, ("nearest", "nearest")),
    "love-letter": ({"players": 3, "tokens": 1}, ("rules", "rules", "random")),
    "paradise": ({}, ("face", "random")),
}
"""Of each game, parameters that make it short, and bots that need no time."""

Odd = Mapping[int, dict[str, object]]
"""The unusual parts of a bot's answer, by the number of its turn, from 0."""


class Scripted:
    """A seat that plays the lowest legal action, but for what is told otherwise."""

    isolation = "inline"
    observes = False

    def __init__(self, game: object, odd: Odd) -> None:
        self._game = game
        self._odd = odd
        self._turn = -1

    def start(self, message: dict[str, object]) -> Answer:
        return answer()

    def ask(self, state: list[int], message: dict[str, object]) -> Answer:
        self._turn += 1
        out = [0] * properties(self._game).max_legal
        legal(self._game, state, out)
        usual = answer(out[0], cpu_ms=10.0, wall_ms=11.0)
        return replace(usual, **self._odd.get(self._turn, {}))

    def end(self, message: dict[str, object]) -> None:
        pass

    def close(self) -> None:
        pass


def crash(**more: object) -> dict[str, object]:
    """An answer that is none."""
    failed = {"action": None, "fault": Fault.CRASH, "detail": TRACEBACK, "alive": False}
    return failed | more


@cache
def builtin(game: str) -> bytes:
    """The record of a short game between built-in bots."""
    parameters, bots = GAMES[game]
    seats = tuple(SeatSpec(name=f"{bot} {n}", bot=f"builtin:{bot}") for n, bot in enumerate(bots))
    spec = GameSpec(game=game, parameters=parameters, bots=seats, seed=derive("replayed", game))
    return play_game(spec).record


def scripted(*odd: Odd, names: tuple[str, ...] = ("ann", "bob"), **limits: object) -> bytes:
    """The record of a game of Virus between scripted bots."""
    seats = tuple(SeatSpec(name=name, bot="builtin:greedy") for name in names)
    spec = GameSpec(
        game="virus",
        parameters={"size": 5},
        bots=seats,
        seed=derive("scripted", 1),
        limits=Limits(**limits),
    )
    made = make("virus", size=5)
    scripts = iter([Scripted(made, each) for each in odd])

    def opener(*_: object) -> Scripted:
        return next(scripts)

    return play_game(spec, opener=opener).record


def fault_line(record: bytes) -> int:
    """The number of the ply at which a bot first failed, from 1."""
    return int(next(line["ply"] + 1 for line in read_record(record).plies if "fault" in line))


def forged(record: bytes, change: Callable[[list[dict[str, Any]]], None]) -> bytes:
    """A record with changed lines, its hashes right again."""
    lines = [json.loads(line) for line in record.splitlines()]
    for line in lines:
        del line["chain"]
    change(lines)
    writer = Writer()
    for line in lines:
        writer.write(line)
    return writer.content()
