"""Each misbehaving bot gets exactly its fault, and its reason in words."""

import re

import pytest
from host.hosting import BOTS, EASY, PARENTS, QUICK, play_message, start_message

from joute.host import BotLimits, Fault


@pytest.mark.game("virus")
@pytest.mark.parametrize("name", ["silent.py", "slow.py"])
def test_a_bot_that_computes_too_long_is_timed_out_on_its_cpu_time(hosts, name):
    bot = hosts.started(name, QUICK)
    answer = bot.ask(play_message())
    assert answer.fault is Fault.TIMEOUT
    assert re.fullmatch(
        r"took \d+\.\d\d s of 0\.25 s \(CPU; \d+\.\d\d s on the wall\)", answer.detail
    )
    assert answer.action is None
    assert not answer.alive
    assert not bot.alive


@pytest.mark.game("virus")
def test_a_bot_that_sleeps_is_stopped_by_the_wall(hosts):
    bot = hosts.started("sleeping.py", BotLimits(move_seconds=0.05, start_seconds=20))
    answer = bot.ask(play_message())
    assert answer.fault is Fault.TIMEOUT
    assert "s of 1.10 s on the wall" in answer.detail
    assert answer.wall_ms > 1100
    assert answer.cpu_ms < 50


def test_a_crash_at_import_is_a_failed_start_with_the_bots_own_traceback(hosts):
    bot = hosts.bot("crash_import.py")
    answer = bot.start(start_message())
    assert answer.fault is Fault.START_UP
    assert "ModuleNotFoundError: No module named 'module_that_does_not_exist'" in answer.detail
    assert f'"{BOTS / "crash_import.py"}", line 3' in answer.detail
    assert "joute" not in answer.detail.replace(str(BOTS), "")
    assert "importlib" not in answer.detail
    assert not answer.alive


def test_an_import_that_never_ends_is_a_failed_start(hosts):
    bot = hosts.bot("eternal_import.py", BotLimits(start_seconds=0.3))
    answer = bot.start(start_message())
    assert answer.fault is Fault.START_UP
    assert "s of 0.30 s" in answer.detail
    assert not answer.alive


@pytest.mark.game("virus")
def test_a_crash_at_move_seven_costs_that_turn_and_the_bot_lives_on(hosts):
    bot = hosts.started("crash_move7.py")
    for _ in range(6):
        assert bot.ask(play_message()).action == "b1"
    answer = bot.ask(play_message())
    assert answer.fault is Fault.CRASH
    assert answer.detail.endswith("IndexError: list index out of range")
    assert "return plan(misc[" in answer.detail
    assert "serve.py" not in answer.detail
    assert "hx2.py" not in answer.detail
    assert answer.alive
    assert bot.ask(play_message()).fault is Fault.CRASH


@pytest.mark.game("virus")
def test_an_illegal_cell_says_what_was_answered(hosts):
    answer = hosts.started("illegal.py").ask(play_message())
    assert answer.fault is Fault.ILLEGAL
    assert answer.detail == "ia answered [-1, 1]: expected [row, column] from 0 to 9, or False"
    assert answer.alive


def test_a_flood_of_output_neither_blocks_nor_fills_anything(hosts):
    bot = hosts.started("talkative.py", BotLimits(move_seconds=20, start_seconds=20, output_kb=2))
    for _ in range(2):
        answer = bot.ask(play_message())
        assert (answer.action, answer.fault) == (1, None)
        assert answer.output.startswith("a" * 999 + "\n")
        assert answer.output.endswith(f"... {1_000_000 - 2048} bytes more")
        assert len(answer.output) < 2100


@pytest.mark.game("virus")
def test_a_bot_that_asks_for_too_much_memory_says_so_and_lives_on(hosts):
    bot = hosts.started("memory.py", EASY)
    for _ in range(3):
        answer = bot.ask(play_message())
        assert answer.fault is Fault.MEMORY
        assert answer.detail.endswith("MemoryError")
        assert "hoard.append" in answer.detail
        assert answer.alive


@pytest.mark.game("virus")
def test_a_huge_line_to_every_descriptor_is_over_the_output_limit(hosts):
    bot = hosts.started("huge.py")
    answer = bot.ask(play_message())
    assert answer.fault is Fault.OUTPUT_LIMIT
    assert answer.detail == "its answer is longer than 1048576 bytes"
    assert not answer.alive


@pytest.mark.game("virus")
def test_a_line_that_is_no_message_is_a_protocol_fault(hosts):
    answer = hosts.started("broken.py").ask(play_message())
    assert answer.fault is Fault.PROTOCOL
    assert answer.detail.startswith("no message of the protocol: ")
    assert "[1, 2" in answer.detail
    assert not answer.alive


def test_answers_that_come_before_being_asked_are_thrown_away(hosts):
    bot = hosts.started("early.sh")
    for legal in ([3, 4], [5], [9, 10]):
        answer = bot.ask(play_message(legal=legal))
        assert (answer.action, answer.fault) == (legal[0], None)


@pytest.mark.game("virus")
def test_a_bot_that_leaves_crashes_with_its_exit_status_in_words(hosts):
    bot = hosts.started("leaving.py")
    answer = bot.ask(play_message())
    assert answer.fault is Fault.CRASH
    assert answer.detail == "its process ended with status 3"
    assert not answer.alive
    assert bot.ask(play_message()).detail == "it is not running"


@pytest.mark.game("virus")
def test_sys_exit_costs_a_turn_only(hosts):
    bot = hosts.started("quitting.py")
    for _ in range(2):
        answer = bot.ask(play_message())
        assert answer.fault is Fault.CRASH
        assert answer.detail.endswith("SystemExit: I give up")
        assert answer.alive


def test_only_the_process_that_was_asked_answers_after_a_fork(hosts):
    bot = hosts.started("returning_fork.py", PARENTS)
    for legal in ([3], [5], [9]):
        assert bot.ask(play_message(legal=legal)).action == legal[0]
