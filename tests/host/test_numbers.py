"""Bots that may start processes have process numbers of their own, kept by processes of ours."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from helpers import PATIENCE, cannot_run, wait_until
from host.hosting import EASY, PARENTS, play_message, start_message
from host.jailing import ATTEMPTING, JAILED, need_level
from msgspec.structs import replace

from joute.host import Level, granted, program_command
from joute.host.descendants import relatives, stat
from joute.host.launched import Launched


@pytest.fixture(autouse=True)
def numbered():
    need_level(Level.KERNEL)
    if granted().open:
        cannot_run(f"this machine gives no process numbers of one's own: {granted().open}")


@pytest.fixture
def launched():
    """Launches programs at `kernel`, and closes them when the test is over."""
    programs = []

    def launch(*words):
        program = Launched(program_command(words, EASY, level=Level.KERNEL), 64, {})
        programs.append(program)
        program.start()
        return program

    yield launch
    for each in programs:
        each.close()


def over(pid):
    return stat(pid)[:1] in ([], [b"Z"])


ENDS = {
    "os._exit(7)": "its process ended with status 7",
    "os._exit(139)": "its process ended with status 139",
    "os.abort()": "its process was killed by SIGABRT (Aborted)",
    "os.kill(os.getpid(), 15)": "its process was killed by SIGTERM (Terminated)",
    "__import__('ctypes').string_at(0)": "its process was killed by SIGSEGV (Segmentation fault)",
}


@pytest.mark.parametrize("end", ENDS)
def test_how_a_program_ended_is_told_as_if_nobody_stood_between(hosts, end):
    text = f"import os, sys; sys.stdin.readline(); {end}"
    command = program_command([sys.executable, "-S", "-c", text], EASY, level=Level.KERNEL)
    assert hosts.command(command).start(start_message()).detail == ENDS[end]


def test_a_python_bot_that_may_start_processes_has_numbers_of_its_own(hosts):
    bot = hosts.source(ATTEMPTING, replace(PARENTS, isolation=Level.KERNEL))
    assert bot.bot_pid != bot.pid
    attempts = [
        "os.getpid()",
        f"os.path.exists('/proc/{os.getpid()}')",
        f"os.kill({os.getpid()}, 0)",
        "open('/proc/1/cmdline').read()",
        "int(open('/proc/self/stat').read().split()[0]) == os.getpid()",
        "'JOUTE_PARENT' in os.environ",
    ]
    assert bot.ask(play_message(attempts=attempts)).message.split(" | ") == [
        *("2", "False", "ProcessLookupError", "FileNotFoundError", "True", "False")
    ]


@pytest.mark.parametrize("level", JAILED)
def test_with_the_process_that_leads_ends_all_that_a_bot_has_started(hosts, level):
    need_level(level)
    bot = hosts.source(ATTEMPTING, replace(PARENTS, isolation=level))
    slept = "__import__('subprocess').Popen(['sleep', '1000']).pid > 0"
    assert bot.ask(play_message(attempts=[slept])).message == "True"
    members = relatives(bot.pid, bot._tag)
    assert len(members) >= 3  # the bot, its child, and one of ours
    os.kill(bot.pid, signal.SIGKILL)
    bot._go_on()
    wait_until(lambda: all(map(over, members)), what="the end of all that it has started")


def test_what_a_script_has_started_goes_on_without_it_and_is_ended_with_the_game(launched):
    program = launched("sh", "-c", "sleep 1000 & echo left")
    wait_until(program.ended, what="the end of the script")
    assert program.exit_words() == "its process ended with status 0"
    members = relatives(program.pid, program._tag)
    assert members
    assert not program.gone()
    program.close()
    wait_until(lambda: all(map(over, members)), what="the end of what it has started")


def test_nothing_of_ours_is_left_when_all_that_a_script_has_started_has_ended(launched):
    program = launched("sh", "-c", "sleep 0.2 & exit 3")
    wait_until(program.gone, what="the end of all of it")
    assert program.exit_words() == "its process ended with status 3"


SLOW_KEEPER = """
    import json, os, sys, time
    from joute.host.child import jail, namespaces

    hold_only, mine = namespaces._hold_only, os.getpid()

    def hold_only_late(*arguments):
        while os.getpid() == mine and os.path.exists("/proc/self"):
            time.sleep(0.001)
        hold_only(*arguments)

    namespaces._hold_only = hold_only_late
    os.environ.pop("JOUTE_REFEREE", None)
    jail.shut(json.loads(sys.argv[1]))
    print("the bot runs", flush=True)
    os._exit(7)
"""


def test_a_bot_that_is_faster_than_the_process_that_waits_for_it_plays_all_the_same():
    command = program_command(["true"], EASY, level=Level.KERNEL)
    policy = command[command.index("--jail") + 1]
    script = textwrap.dedent(SLOW_KEEPER)
    words = [sys.executable, "-c", script, policy]
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (7, "the bot runs\n", "")


REFUSING = """
    import errno
    from joute.host.child import system
    from joute.host.sandbox import canaries, packet_filter, system_calls
    from joute.host.sandbox.call_numbers import NUMBERS
    number = NUMBERS[system_calls.machine()]["unshare"]
    none = packet_filter.Condition(0, (0,), system.NEW_PROCESSES)
    refused = packet_filter.Conditional(((none,),), packet_filter.refused(errno.EPERM))
    architecture = system_calls.AUDIT[system_calls.machine()]
    system.control(system.SET_NO_NEW_PRIVILEGES, 1)
    decided = packet_filter.compiled(architecture, {number: refused}, packet_filter.ALLOWED)
    system.load_filter(decided)
    print(*canaries.open_to_programs())
"""


def test_where_no_numbers_can_be_had_programs_run_and_what_they_see_is_told():
    words = [sys.executable, "-c", textwrap.dedent(REFUSING)]
    found = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    # Root has the folders of others hidden all the same.
    assert found == ([] if os.geteuid() == 0 else ["programs_see_processes"])


def test_a_program_that_nothing_can_be_learnt_of_is_taken_to_see_all(monkeypatch):
    from joute.host.sandbox import canaries

    monkeypatch.setattr(canaries, "CANARY", Path("/no/such/canary.py"))
    assert canaries.open_to_programs() == ("programs_see_processes",)
