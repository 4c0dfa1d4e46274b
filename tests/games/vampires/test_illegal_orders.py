"""Illegal orders where each costs the turn only: the third one of a bot in a game loses it."""

import sys
from dataclasses import replace

import pytest
from games.vampires.players import MAP
from play.playing import SEED, seats

from joute.core import registry
from joute.games.vampires.adapters import program
from joute.host.limits import Limits
from joute.play.game import GameSpec, usual_costs
from joute.play.record import read_record
from joute.play.referee import play_game
from joute.play.verify import verify_record

CHEAT = "def play(observation, clock):\n    return []\n"
CONNECTED = """
import socket
import sys

server = socket.create_connection((sys.argv[1], int(sys.argv[2])))
server.sendall(b"NME\\5cheat")
while data := server.recv(4096):
    if b"UPD" in data:
        server.sendall(b"MOV\\0")
"""


def duel(*bots, illegal="turn"):
    return GameSpec(
        game="vampires",
        parameters={"map": MAP, "plies": 20},
        bots=seats(*bots),
        seed=SEED,
        limits=Limits(move_seconds=20.0, start_seconds=20.0),
        costs={**usual_costs("vampires"), "illegal": illegal},
    )


def costs(result):
    return [(fault.seat, fault.fault, fault.cost) for fault in result.faults]


def thrice(seat):
    return [(seat, "illegal", cost) for cost in ("turn", "turn", "game")]


@pytest.mark.parametrize("kind", ["person", "file", "connected"])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_third_illegal_order_of_any_kind_of_bot_loses_the_game(
    kind, seat, tmp_path, monkeypatch
):
    monkeypatch.setattr(program, "PAUSE_SECONDS", 0.0)
    (tmp_path / "cheat.py").write_text(CHEAT)
    (tmp_path / "connected.py").write_text(CONNECTED)
    named = {
        "person": "human",
        "file": str(tmp_path / "cheat.py"),
        "connected": f"tcp:{sys.executable} {tmp_path / 'connected.py'}",
    }
    bots = ["builtin:random", "builtin:random"]
    bots[seat] = named[kind]
    result = play_game(duel(*bots), lambda *_: [])
    assert costs(result) == thrice(seat)
    assert (result.ending, result.returns[seat]) == ("forfeit", -1.0)
    last = read_record(result.record).plies[-1]
    assert (last["fault"], last["cost"], "action" in last) == ("illegal", "game", False)
    assert verify_record(result.record).ok


def test_each_player_has_illegal_orders_of_its_own():
    result = play_game(duel("human", "human"), lambda *_: [])
    assert costs(result)[-3:] == [(0, "illegal", "turn"), (1, "illegal", "turn"), thrice(0)[-1]]


def test_the_illegal_orders_before_a_game_was_taken_up_count():
    spec = duel("human", "builtin:random")
    whole = play_game(spec, lambda *_: [])
    lines = read_record(whole.record).plies
    second = [place for place, line in enumerate(lines) if "fault" in line][1]
    again = play_game(spec, lambda *_: [], before=lines[: second + 1])
    assert costs(again) == thrice(0)


def test_a_record_in_which_illegal_orders_cost_turns_only_stays_true(monkeypatch):
    brought = registry.card("vampires")
    monkeypatch.setitem(registry._loaded, "vampires", replace(brought, most_illegal=None))
    old = play_game(duel("human", "human"), lambda *_: [])
    monkeypatch.undo()
    assert costs(old) == [(seat, "illegal", "turn") for seat in (0, 1)] * 10
    assert verify_record(old.record).ok
