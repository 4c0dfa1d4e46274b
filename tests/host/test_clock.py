"""The time of a bot over a game: what is charged, what is left, and what a busy host takes."""

import re
import time

import pytest
from host.hosting import EASY, FREE, PARENTS, play_message, start_message
from msgspec.structs import replace

from joute.host import BotLimits, Fault
from joute.host import clock as clock_module
from joute.host.clock import Bank, Crowd, Turn

BURNING = """
    import time
    def play(observation, clock):
        until = time.process_time() + observation["passes"] / 1000
        while time.process_time() < until:
            pass
        told = [clock.seconds, round(clock.left(), 2), round(clock.bank, 2), round(clock.last, 2)]
        return {"action": 0, "message": repr(told)}
    """
"""A bot that uses as many milliseconds as it is told, and says what its clock says."""

THINKING = """
    import os, threading, time
    def think():
        while True:
            sum(range(1000))
    threading.Thread(target=think, daemon=True).start()
    def play(observation, clock):
        return {"action": 0, "message": str(clock.left())}
    """
"""A bot that goes on thinking between its turns, if it is not stopped."""


def limits(move, **more):
    return replace(EASY, move_seconds=move, **more)


class Clocks:
    """Stands for the clocks of a bot and of the wall, and for the crowd, moved by hand."""

    def __init__(self, monkeypatch, late=0.0):
        self.wall = self.cpu = self.waits = 0.0
        monkeypatch.setattr(clock_module.time, "perf_counter", lambda: self.wall)
        monkeypatch.setattr(clock_module, "usual_lateness", lambda: late)

    def seconds(self, went_by):
        return self.cpu

    def look(self):
        pass

    def waiting(self):
        return self.waits

    def turn(self, seconds=1.0, bank=0.0, grace=0.0, last_try=False):
        return Turn((self, self), (seconds, bank, grace), 0.0, 0.0, last_try)

    def spend(self, turn, wall, cpu=0.0, waited=None):
        """Lets time go by until the next look."""
        self.wall += wall
        self.cpu += cpu
        turn.look(wall if waited is None else waited)


@pytest.fixture
def clocks(monkeypatch):
    return Clocks(monkeypatch)


def test_what_a_turn_takes_beyond_its_time_comes_out_of_the_bank():
    bank = Bank(BotLimits(move_seconds=1.0, bank_seconds=5.0, increment_seconds=0.5))
    bank.pay(0.4, 1.0)
    assert (bank.seconds, bank.last) == (5.5, 0.4)
    bank.pay(3.0, 1.0)
    assert (bank.seconds, bank.last) == (4.0, 3.0)
    bank.pay(9.0, 1.0)
    assert bank.seconds == 0.5


def test_a_bot_is_told_what_is_in_its_bank_and_what_its_last_turn_cost(hosts):
    bot = hosts.source(BURNING, limits(0.1, bank_seconds=1.0))
    assert bot.ask(play_message(passes=300)).message == "[0.25, -0.2, 1.0, 0.0]"
    answer = bot.ask(play_message())
    _, left, bank, last = eval(answer.message)
    assert 0 < left <= 0.1
    assert 0.7 <= bank <= 0.8
    assert 0.3 <= last <= 0.4


def test_an_empty_bank_is_a_timeout_that_says_what_there_was(hosts):
    bot = hosts.source(BURNING, limits(0.05, bank_seconds=0.25))
    assert bot.ask(play_message(passes=200)).fault is None
    answer = bot.ask(play_message(passes=20_000))
    assert answer.fault is Fault.TIMEOUT
    assert re.match(r"took 0\.\d\d s of 0\.05 s and 0\.\d\d s in the bank \(CPU", answer.detail)


def test_the_bank_is_not_filled_again_when_a_bot_is_started_again(hosts):
    bot = hosts.source(BURNING, limits(0.05, bank_seconds=0.1))
    assert bot.ask(play_message(passes=20_000)).fault is Fault.TIMEOUT
    assert bot.start(start_message()).fault is None
    assert ", 0.0, " in bot.ask(play_message()).message


def test_grace_lets_a_turn_be_late_by_so_much(clocks):
    turn = clocks.turn(grace=0.5)
    clocks.spend(turn, 1.4, cpu=1.4)
    assert not turn.over
    clocks.spend(turn, 0.2, cpu=0.2)
    assert turn.late
    assert turn.words() == "took 1.60 s of 1.00 s (CPU; 1.60 s on the wall)"


def test_what_a_bot_burns_while_it_should_stand_still_is_charged_to_its_next_turn_once(hosts):
    bot = hosts.source(BURNING)
    bot.ask(play_message())
    # As a process does that has found a way to run on.
    bot._charged -= 0.2
    assert 200 <= bot.ask(play_message()).cpu_ms < 300
    assert bot.ask(play_message()).cpu_ms < 100


def test_the_charges_of_all_turns_add_up_to_the_time_of_the_process(hosts):
    bot = hosts.source(THINKING)
    charged = bot._charged
    charged += sum(bot.ask(play_message()).cpu_ms for _ in range(20)) / 1000
    assert charged == pytest.approx(bot._charged)
    # Stopped, it does not go on: all that it has used since is the way to its stop.
    before = bot._clock.seconds(0.0)
    until = time.process_time() + 0.05
    while time.process_time() < until:
        pass
    assert bot._clock.seconds(0.0) - before < 0.02


def test_children_that_compute_in_short_turns_are_charged_sooner_or_later(hosts):
    text = """
        import subprocess, sys
        child = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        def play(observation, clock):
            import time
            time.sleep(0.015)
            return 0
        """
    bot = hosts.source(text, PARENTS)
    assert sum(bot.ask(play_message()).cpu_ms for _ in range(40)) > 150


def test_a_flag_fall_is_measured_until_the_slot_is_free(hosts):
    bot = hosts.source("def play(o, c):\n    while True:\n        pass\n", limits(0.1))
    answer = bot.ask(play_message())
    assert answer.fault is Fault.TIMEOUT
    assert answer.held_ms > 0
    assert answer.held_ms < 500


def test_a_slot_that_was_held_too_long_is_logged(hosts, caplog, monkeypatch):
    bot = hosts.source("def play(o, c):\n    while True:\n        pass\n", limits(0.1))
    monkeypatch.setattr(Turn, "since", lambda *_: 0.75)
    assert bot.ask(play_message()).held_ms == 750
    assert "its slot was held for 0.75 s after a flag fall" in caplog.text


def test_a_bot_that_sleeps_is_late_on_the_wall(clocks):
    turn = clocks.turn()
    clocks.spend(turn, 3.1, cpu=0.1)
    assert turn.late
    assert not turn.busy
    assert turn.words() == (
        "no answer after 3.10 s of 3.00 s on the wall (0.10 s of 1.00 s of CPU)"
    )


def test_what_its_cpu_costs_in_waiting_on_a_crowded_machine_is_not_held_against_a_bot(clocks):
    turn = clocks.turn()
    clocks.waits = 9.0  # ten threads want each core
    clocks.spend(turn, 5.0, cpu=0.5)
    assert (turn.late, turn.busy, turn.over) == (False, True, False)
    clocks.spend(turn, 2.6, cpu=0.0)
    assert turn.late


def test_a_bot_that_uses_next_to_nothing_is_late_on_the_most_crowded_machine(clocks):
    turn = clocks.turn()
    clocks.waits = 9.0
    clocks.spend(turn, 3.3, cpu=0.02)
    assert turn.late
    assert turn.words() == (
        "no answer after 3.30 s of 3.00 s on the wall (0.02 s of 1.00 s of CPU)"
    )


def test_time_that_our_own_timer_was_late_is_not_held_against_a_bot(clocks):
    turn = clocks.turn()
    clocks.spend(turn, 5.0, cpu=0.5, waited=0.05)
    assert (turn.late, turn.busy) == (False, True)


def test_a_timer_that_is_always_late_is_no_excuse(monkeypatch):
    clocks = Clocks(monkeypatch, late=10.0)
    turn = clocks.turn()
    clocks.spend(turn, 5.0, cpu=0.5, waited=0.05)
    assert turn.late


def test_threads_that_compute_side_by_side_earn_no_more_than_one_could_have_waited(clocks):
    turn = clocks.turn(seconds=10.0)
    clocks.waits = 3.0
    clocks.spend(turn, 8.0, cpu=9.9)
    clocks.spend(turn, 14.0, cpu=0.0)
    assert turn._excused == pytest.approx(12.1)
    assert (turn.late, turn.busy) == (False, True)
    clocks.waits = 0.0
    clocks.spend(turn, 0.1, cpu=0.0)
    assert turn.late


def test_a_host_that_stays_busy_is_given_up_and_nobody_is_charged(clocks):
    turn = clocks.turn()
    clocks.waits = 30.0
    clocks.spend(turn, 13.0, cpu=0.5)
    assert (turn.late, turn.hopeless, turn.over) == (False, True, True)
    assert turn.words() == (
        "no answer after 13.00 s on the wall, of which others had the machine for 12.50 s"
    )


def test_where_a_game_is_not_played_again_more_patience_is_had_and_then_it_is_late(clocks):
    turn = clocks.turn(last_try=True)
    clocks.waits = 200.0
    clocks.spend(turn, 59.0, cpu=0.5)
    assert (turn.late, turn.busy, turn.over) == (False, True, False)
    clocks.spend(turn, 1.1)
    assert (turn.late, turn.hopeless) == (True, False)


def test_an_answer_of_a_busy_host_counts_and_says_so(hosts, monkeypatch):
    bot = hosts.source("import time\ndef play(o, c):\n    time.sleep(0.3)\n    return 0\n")
    monkeypatch.setattr(clock_module, "wall_seconds", lambda _: 0.1)
    monkeypatch.setattr(Crowd, "waiting", lambda _: 1e9)
    answer = bot.ask(play_message())
    assert (answer.fault, answer.action, answer.busy) == (None, 0, True)


@pytest.mark.parametrize("asked", [False, True])
def test_no_answer_of_a_busy_host_is_the_fault_of_the_machine(hosts, monkeypatch, asked):
    text = "import time\ntime.sleep(PAUSE)\ndef play(o, c):\n    time.sleep(9)\n"
    monkeypatch.setattr(Crowd, "waiting", lambda _: 1e9)
    if asked:
        bot = hosts.source(text.replace("PAUSE", "0"), FREE)
        monkeypatch.setattr(clock_module, "wall_seconds", lambda _: 0.05)
        answer = bot.ask(play_message())
    else:
        bot = hosts.bot("mine.py", base=hosts.write("mine.py", text.replace("PAUSE", "9")))
        monkeypatch.setattr(clock_module, "wall_seconds", lambda _: 0.2)
        answer = bot.start(start_message())
    assert answer.fault is Fault.INFRASTRUCTURE
    assert not answer.alive
    assert answer.busy


def test_a_crowd_is_what_others_want_of_the_cores_neither_we_nor_the_bot(monkeypatch):
    monkeypatch.setattr(clock_module, "cores", lambda: 4)
    monkeypatch.setattr(clock_module, "runnable", lambda pid: 20)
    monkeypatch.setattr(clock_module, "read", lambda path: b"9.00 9.00 9.00 60/700 4321")
    crowd = Crowd(7)
    assert crowd.waiting() == 0.0
    crowd.look()  # 39 others: 40 threads at 4 cores
    assert crowd.waiting() == pytest.approx(9.0)
    monkeypatch.setattr(clock_module, "read", lambda path: b"9.00 9.00 9.00 21/700 4321")
    crowd.look()
    crowd.look()
    assert crowd.waiting() == pytest.approx(14 / 4 - 1)


def test_where_a_core_is_free_or_the_system_says_nothing_nobody_waits(monkeypatch):
    monkeypatch.setattr(clock_module, "cores", lambda: 4)
    monkeypatch.setattr(clock_module, "runnable", lambda pid: 0)
    for said in (b"0.50 0.50 0.50 4/700 4321", b""):
        monkeypatch.setattr(clock_module, "read", lambda path, said=said: said)
        crowd = Crowd(7)
        crowd.look()
        assert crowd.waiting() == 0.0


def test_a_timer_is_known_to_ring_late_by_itself(monkeypatch):
    rung = iter([0.0, 0.004, 0.0, 0.003, 0.0, 0.005])
    monkeypatch.setattr(clock_module.time, "perf_counter", lambda: next(rung))
    assert clock_module.usual_lateness.__wrapped__() == pytest.approx(0.002)
