"""The costs of a bot's failures, and the record's lines on them."""

import json
from dataclasses import replace

import pytest
from play.playing import (
    CRASHES,
    actions,
    first_legal,
    plies,
    virus,
)

from joute.core import registry
from joute.play.referee import play_game
from joute.play.verify import verify_record

pytestmark = pytest.mark.game("virus")


def test_an_illegal_answer_costs_the_turn():
    def ask(game, state, player):
        return 10**6 if player == 0 else first_legal(game, state, player)

    result = play_game(virus("human", "human"), ask)
    assert result.ending == "finished"
    assert {(fault.fault, fault.cost) for fault in result.faults} == {("illegal", "turn")}
    lines = [ply for ply in plies(result) if ply.get("player") == 0]
    assert {line["text"] for line in lines} == {"pass"}
    told = "answered 1000000, which is not legal here: 1000000 is off the grid"
    assert lines[0]["detail"].startswith(told)
    assert verify_record(result.record).ok


@pytest.mark.parametrize("answer", [True, False, None, -1, 0, "z9", "", 3.0, [1, 2], "x" * 1000])
def test_any_other_answer_is_illegal_too(answer):
    result = play_game(virus("human", "builtin:random", size=3), lambda *_: answer)
    assert {fault.fault for fault in result.faults} == {"illegal"}
    assert all(len(fault.detail) < 1200 for fault in result.faults)


@pytest.mark.parametrize("seat", [0, 1])
def test_an_illegal_answer_may_cost_the_game(seat):
    def ask(game, state, player):
        return 10**6 if player == seat else first_legal(game, state, player)

    result = play_game(virus("human", "human", costs={"illegal": "game"}), ask)
    assert result.ending == "forfeit"
    assert result.returns == [-1.0 if player == seat else 1.0 for player in (0, 1)]
    assert "action" not in plies(result)[-1]
    assert verify_record(result.record).ok


def test_a_game_may_say_which_illegal_answer_loses_it_though_one_costs_the_turn(monkeypatch):
    brought = replace(registry.card("virus"), most_illegal=2)
    monkeypatch.setitem(registry._loaded, "virus", brought)
    result = play_game(virus("human", "builtin:random"), lambda *_: "z9")
    assert [fault.cost for fault in result.faults] == ["turn", "game"]
    assert (result.ending, result.returns) == ("forfeit", [-1, 1])
    assert verify_record(result.record).ok


def test_a_fault_that_the_specification_does_not_price_costs_the_game():
    result = play_game(virus("human", "builtin:random", costs={}), lambda *_: "z9")
    assert (result.ending, result.faults[0].cost) == ("forfeit", "game")


def test_a_bot_that_cannot_start_has_lost(file):
    result = play_game(virus(file("crashes.py", CRASHES), "builtin:random"))
    assert (result.ending, result.returns, result.plies) == ("forfeit", [-1, 1], 0)
    assert result.faults[0].fault == "start-up"
    assert verify_record(result.record).ok


def test_two_bots_that_cannot_start_have_both_lost(file):
    bot = file("crashes.py", CRASHES)
    result = play_game(virus(bot, bot))
    assert (result.ending, result.returns) == ("forfeit", [-1, -1])
    assert verify_record(result.record).ok


def test_a_bot_that_dies_is_started_again_and_told_all_so_far(program):
    result = play_game(virus("builtin:greedy", program("legal", "legal", "die"), size=5))
    faults = result.faults
    assert [fault.fault for fault in faults] == ["crash"] * 3
    assert [fault.cost for fault in faults] == ["turn", "turn", "game"]
    assert "status 3" in faults[0].detail
    restarted = next(
        message
        for ply in plies(result)
        if ply["ply"] > faults[0].ply and ply.get("player") == 1
        for message in json.loads(ply["message"])
        if message["type"] == "start"
    )
    told = [event["action"] for event in restarted["events"]]
    assert told == actions(result)[: len(told)]
    assert len(told) > faults[0].ply
    assert verify_record(result.record).ok


@pytest.mark.parametrize("restarts", [0, 1])
def test_a_bot_that_died_too_often_has_lost(program, restarts):
    result = play_game(virus("builtin:random", program("die"), max_restarts=restarts))
    assert [fault.cost for fault in result.faults] == ["turn"] * restarts + ["game"]
    assert (result.ending, result.returns) == ("forfeit", [1, -1])


def test_a_crash_in_a_file_costs_its_turn_and_is_explained(file):
    bot = file(
        "odd.py", "def play(observation, clock):\n    print('hi')\n    raise ValueError('odd')\n"
    )
    result = play_game(virus(bot, "builtin:random", size=3))
    assert result.ending == "finished"
    line = next(ply for ply in plies(result) if "fault" in ply)
    assert (line["fault"], line["cost"], line["text"]) == ("crash", "turn", "pass")
    assert "ValueError: odd" in line["detail"]
    assert line["output"] == "hi\n"
    assert verify_record(result.record).ok


def test_messages_and_times_are_kept_with_their_ply(program):
    result = play_game(virus("builtin:greedy", program("legal"), size=3))
    for ply in plies(result):
        if ply["by"] == "bot":
            assert ply["message"]
            assert ply["cpu_ms"] >= 0
            assert ply["wall_ms"] >= 0
    assert result.cpu_ms[1] > 0
