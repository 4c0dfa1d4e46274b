"""A bot is charged for what it uses, whoever collects its children; once stopped it stays so."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers import wait_until
from host.hosting import EASY, PARENTS, play_message
from host.jailing import ATTEMPTING, JAILED, need_level
from host.test_groups import written  # noqa: F401 - a fixture
from msgspec.structs import replace

from joute.host import Level, descendants
from joute.host.descendants import Descendants
from joute.host.sandbox.groups import ControlGroup

FORGETFUL = """
import os, signal, struct, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
def play(observation, clock):
    told, tell = os.pipe()
    for _ in range(20):
        if os.fork() == 0:
            while time.process_time() < 0.015:
                pass
            os.write(tell, struct.pack("d", time.process_time()))
            os._exit(0)
        try:
            os.wait()
        except ChildProcessError:
            pass
    os.close(tell)
    used = b"".join(iter(lambda: os.read(told, 8), b""))
    return {"action": 0, "message": str(sum(struct.unpack("20d", used)))}
"""
"""A bot whose children compute for 15 ms each and end ignored; it says what they say they used."""

WAKING = """
import os, signal, threading
def again():
    while True:
        os.kill(os.getpid(), signal.SIGCONT)
def play(observation, clock):
    said = []
    for send in (
        lambda: os.kill(os.getpid(), signal.SIGCONT),
        lambda: os.kill(0, signal.SIGCONT),
        lambda: signal.raise_signal(signal.SIGCONT),
        lambda: signal.pthread_kill(threading.get_ident(), signal.SIGCONT),
    ):
        try:
            send()
            said.append("sent")
        except PermissionError:
            said.append("refused")
    threading.Thread(target=again, daemon=True).start()
    return {"action": 0, "message": " ".join(said)}
"""
"""A bot that has itself continued again and again, and says which ways it was refused."""

CLONING = """
import ctypes, os, platform, signal
number = {"x86_64": 56, "aarch64": 220}[platform.machine()]
library = ctypes.CDLL(None, use_errno=True)
def clone(flags):
    made = library.syscall(number, ctypes.c_long(flags), *[ctypes.c_long(0)] * 4)
    if made == 0:
        os._exit(0)
    return "refused" if made < 0 else "made"
def play(observation, clock):
    said = [clone(0x8000 | signal.SIGCHLD), clone(signal.SIGCONT), clone(signal.SIGCHLD), clone(0)]
    return {"action": 0, "message": " ".join(said)}
"""
"""A bot that makes a sibling of its own, a child whose end continues it, and harmless children."""


@pytest.fixture(params=JAILED)
def level(request):
    need_level(request.param)
    return request.param


def test_children_that_end_ignored_are_charged_all_the_same(hosts, level):
    bot = hosts.source(FORGETFUL, replace(PARENTS, isolation=level))
    answers = [bot.ask(play_message()) for _ in range(3)]
    used = sum(float(answer.message) for answer in answers)
    assert used >= 0.9
    # Time that a look has left out stands on the bot's clock, and is charged to the turn to come.
    charged = sum(answer.cpu_ms for answer in answers) / 1000
    charged += bot._clock.seconds(1.0) - bot._charged
    assert charged >= 0.95 * used


def test_a_bot_cannot_continue_itself(hosts, level):
    bot = hosts.source(WAKING, replace(EASY, isolation=level))
    assert bot.ask(play_message()).message == " ".join(4 * ["refused"])
    before = bot._clock.seconds(0.0)
    burnt(0.1)
    assert bot._clock.seconds(0.0) - before < 0.02


def test_a_bots_children_are_its_own_and_their_end_continues_nobody(hosts, level):
    bot = hosts.source(CLONING, replace(PARENTS, isolation=level))
    assert bot.ask(play_message()).message == "refused refused made made"


def burnt(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


class Kin:
    """Stands for the system's figures of a bot's processes, in seconds."""

    def __init__(self, monkeypatch):
        self.own, self.collected = {}, 0.0
        monkeypatch.setattr(descendants, "family", lambda pid: [pid, *self.own])
        monkeypatch.setattr(descendants, "cpu_seconds", lambda pid: self.own.get(pid, 99.0))
        monkeypatch.setattr(
            descendants, "_collected", lambda pid: self.collected if pid == 7 else 0.0
        )


def test_what_was_seen_of_a_child_counts_though_nobody_collects_it(monkeypatch):
    kin, found = Kin(monkeypatch), Descendants(7)
    for number in range(10, 20):
        kin.own = {number: 0.01}
        found.seconds()
        kin.own = {number: 0.015}
        found.seconds()
    kin.own = {}
    assert found.seconds() == pytest.approx(0.15)


def test_what_was_seen_of_a_child_and_what_its_collector_says_are_not_added(monkeypatch):
    kin, found = Kin(monkeypatch), Descendants(7)
    kin.own = {10: 0.3, 11: 0.1}
    assert found.seconds() == pytest.approx(0.4)
    kin.own, kin.collected = {11: 0.1}, 0.5
    assert found.seconds() == pytest.approx(0.6)
    kin.own = {11: 0.2, 10: 0.05}  # another process of the same number
    assert found.seconds() == pytest.approx(0.75)


def test_what_was_once_counted_stays_so(monkeypatch):
    kin, found = Kin(monkeypatch), Descendants(7)
    kin.own = {10: 0.3}
    found.seconds()
    kin.own = {}  # collected between the looks at its parent and at itself
    assert found.seconds() == pytest.approx(0.3)
    kin.collected = 0.3
    assert found.seconds() == pytest.approx(0.3)


def test_a_group_stands_still_between_the_turns_of_its_bot(hosts, written):  # noqa: F811
    bot = hosts.source(ATTEMPTING, replace(EASY, isolation=Level.FULL))
    [group] = written
    frozen = group.path / "cgroup.freeze"
    assert frozen.read_text() == "1"
    assert bot.ask(play_message(attempts=["1"])).fault is None
    assert frozen.read_text() == "1"
    bot._go_on()
    assert frozen.read_text() == "0"


def test_what_a_group_says_that_its_processes_used_is_charged(hosts, written):  # noqa: F811
    bot = hosts.source(ATTEMPTING, replace(EASY, isolation=Level.FULL))
    (written[0].path / "cpu.stat").write_text("usage_usec 7000000\nuser_usec 7000000\n")
    answer = bot.ask(play_message(attempts=["__import__('time').sleep(0.1)"]))
    assert 6000 < answer.cpu_ms <= 7000


def test_a_group_counts_what_has_ended_and_holds_what_is_continued():
    group = ControlGroup.__new__(ControlGroup)
    group.path = unified() / f"joute-test-{os.getpid()}"
    group.path.mkdir()
    burning = "import os, time\nif os.fork() == 0:\n  while time.process_time() < 0.2: pass\n"
    text = f"import sys; sys.stdin.read(1)\n{burning}else:\n  while True: pass\n"
    process = subprocess.Popen([sys.executable, "-c", text], stdin=subprocess.PIPE)
    try:
        group.take(process.pid)
        process.stdin.close()
        wait_until(lambda: group.cpu_seconds() > 0.5, what="the child and its parent to compute")
        group.freeze(True)
        wait_until(lambda: "frozen 1" in (group.path / "cgroup.events").read_text())
        before = group.cpu_seconds()
        process.send_signal(signal.SIGCONT)
        burnt(0.1)
        assert group.cpu_seconds() - before < 0.02
        group.freeze(False)
    finally:
        process.kill()
        process.wait()
        group.close()
    assert not group.path.exists()


def unified():
    """The place in which groups of version 2 can be made, be it without limits."""
    found = re.findall(r" (/\S+) cgroup2 ", Path("/proc/self/mounts").read_text())
    if not found or not os.access(Path(found[0]) / "cgroup.procs", os.W_OK):
        pytest.skip("this user makes no groups of version 2 on this machine")
    return Path(found[0])
