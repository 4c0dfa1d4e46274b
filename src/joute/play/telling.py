"""The log: what a seat was told of, in words.

A game without a line in NARRATORS is told as it writes its actions, with the number of the ply.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from joute.core.interface import CHANCE, properties
from joute.games.love_letter import log as love_letter_log
from joute.games.paradise import log as paradise_log
from joute.i18n.lines import Line, plain, shown
from joute.i18n.words import say, spoken

Event = dict[str, Any]
"""What a seat was told of a line of the record, and that `line`; without an action, of a failure
or of a seat that is given up."""

Narrator = Callable[[Event, tuple[str, ...]], list[Line]]
"""The lines that tell of an action or outcome, with the names of the seats."""

NARRATORS: dict[str, Narrator] = {
    "love-letter": love_letter_log.narrate,
    "paradise": paradise_log.narrate,
}
"""How the events of a game are told, by the game's name."""

_STARTER = re.compile(r"player (\d+) starts")
DONE = "done"  # the end of an order of Vampires

WITNESSES: dict[str, Callable[[Any, Any, int], Event]] = {"paradise": paradise_log.witness}
"""What everybody sees happen at an action or outcome that is about to be applied, beyond what he is
told of it: added to the event, by the game's name."""


class Log(NamedTuple):
    """The latest is the last line."""

    lines: list[Line]
    fresh: int  # how many of them came since the player's last decision


def witnessed(game: Any, state: Any, action: int) -> Event:
    """What everybody sees happen, beyond what he is told."""
    name = properties(game).name
    return WITNESSES[name](game, state, action) if name in WITNESSES else {}


def log(game: Any, told: list[Event], player: int, names: tuple[str, ...], most: int) -> Log:
    """What the player was told, in `most` lines at most."""
    facts = properties(game)
    first = _first_fresh(told, player, facts.hidden_information)
    lines: list[Line] = []
    fresh = 0
    for place in reversed(range(len(told))):
        if len(lines) >= most:
            break
        found = narrated(game, told[place], names)
        lines = [*found, *lines]
        fresh += len(found) if place >= first else 0
    lines, fresh = lines[-most:], min(fresh, most)
    old = len(lines) - fresh
    return Log([*([(plain(line), "dim")] for line in lines[:old]), *lines[old:]], fresh)


def _first_fresh(told: list[Event], player: int, own: bool) -> int:
    """The place of the first event after the player's last one; with `own`, of that one itself."""
    for place in reversed(range(len(told))):
        if told[place]["player"] == player:
            return place if own else place + 1
    return 0


def narrated(game: Any, event: Event, names: tuple[str, ...]) -> list[Line]:
    """An event in words, with the names of the seats; nothing where it is of no interest."""
    line = event["line"]
    narrate = NARRATORS.get(properties(game).name) if "action" in event else None
    lines = [] if narrate is None else narrate(event, names)
    if "resigned" in line:
        return [[(say("play.resigned", name=names[event["player"]]), "")], *lines]
    fault = ""
    if "fault" in line:
        fault = " " + say("play.fault", fault=say(f"fault.{line['fault']}"))
    if narrate is not None:
        return [[*lines[0], (fault, "")], *lines[1:]] if lines else []
    number = f"{line['ply'] + 1:3}. "
    if event["player"] == CHANCE:
        return [[(number, "dim"), (_outcome(event["text"], names), "dim")]]
    text = shown(whole_turn(event.get("text", "")))
    return [[(number, "dim"), (f"{names[event['player']]}  {text}{fault}", "")]]


def _outcome(text: str, names: tuple[str, ...]) -> str:
    """What chance decided; of who starts, by the seat's name."""
    found = _STARTER.fullmatch(text)
    return say("play.starts", name=names[int(found[1])]) if found else text


def whole_turn(text: str) -> str:
    """The actions of a turn as the game writes them, without the word that ends an order."""
    parts = text.split("; ")
    if len(parts) > 1 and parts[-1] == DONE:
        parts.pop()
    return "; ".join(map(spoken, parts))
