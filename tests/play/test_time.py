"""Time of bots with the referee and in a contest: banks, busy machines, flag falls."""

from dataclasses import replace

import pytest
from play.playing import lines_of, virus

from joute.contest.config.config import resolve
from joute.contest.run.tasks import game_terms
from joute.host import Fault
from joute.host.limits import Limits
from joute.host.protocol import InfrastructureError
from joute.play.referee import play_game
from joute.play.seats import InlineSeat, open_seat
from joute.play.verify import verify_record

pytestmark = pytest.mark.game("virus")


class Slow(InlineSeat):
    """A built-in bot whose answers are changed."""

    def __init__(self, inner, **changes):
        self._inner = inner
        self._changes = changes
        self.isolation, self.observes = inner.isolation, inner.observes

    def start(self, message):
        return self._inner.start(message)

    def ask(self, state, message):
        return replace(self._inner.ask(state, message), **self._changes)


def played(**changes):
    def opener(seat, spec, game, human):
        return Slow(open_seat(seat, spec, game, human), **changes)

    return play_game(virus(), opener=opener)


def test_a_game_on_a_machine_that_was_too_busy_is_marked_and_still_proved():
    result = played(busy=True)
    *plies, end = lines_of(result.record)[1:]
    assert result.busy
    assert end["busy"] is True
    assert all(ply["busy"] for ply in plies if ply["by"] == "bot")
    assert verify_record(result.record).ok


def test_no_word_of_it_is_in_the_record_of_any_other_game():
    result = played()
    assert not result.busy
    assert b"busy" not in result.record
    assert b"held_ms" not in result.record


def test_an_answer_that_a_busy_machine_kept_back_is_charged_to_nobody():
    with pytest.raises(InfrastructureError, match="others had the machine"):
        played(fault=Fault.INFRASTRUCTURE, detail="others had the machine", alive=False)


def test_how_long_a_slot_was_held_after_a_flag_fall_stands_with_the_ply():
    plies = lines_of(played(fault=Fault.TIMEOUT, held_ms=12.3456).record)[1:-1]
    assert {ply["held_ms"] for ply in plies if ply["by"] == "bot"} == {12.346}


def test_the_keys_of_a_contest_reach_its_games(file):
    keys = "bank_seconds = 60\nincrement_seconds = 1.5\ngrace_seconds = 0.01\n"
    bots = 'bots = ["builtin:greedy", "builtin:random"]\n'
    contest = resolve(file("c.toml", f'{bots}[game]\nname = "virus"\n[limits]\n{keys}'))
    limits = game_terms(contest).limits
    assert (limits.bank_seconds, limits.increment_seconds, limits.grace_seconds) == (
        60.0,
        1.5,
        0.01,
    )


def test_the_bank_of_a_game_is_the_bots_and_stands_in_the_record(file):
    text = """
import time
def play(observation, clock):
    until = time.process_time() + 0.1
    while clock.bank > 0.5 and time.process_time() < until:
        pass
    return {"action": observation["legal"][0], "message": f"{clock.bank:.3f}"}
"""
    spec = virus(
        file("slow.py", text),
        "builtin:random",
        limits=Limits(move_seconds=0.05, bank_seconds=0.6, increment_seconds=0.01),
    )
    result = play_game(spec)
    header, *plies, _ = lines_of(result.record)
    told = [float(ply["message"]) for ply in plies if ply.get("player") == 0 and "message" in ply]
    limits = header["limits"]
    names = ("move_seconds", "bank_seconds", "increment_seconds", "grace_seconds")
    assert [limits[name] for name in names] == [0.05, 0.6, 0.01, 0.0]
    assert told[0] == 0.6
    assert told[1] < 0.6
