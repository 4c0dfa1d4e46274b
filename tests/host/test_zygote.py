"""Warm interpreters: what is forked of one is like a fresh process, and ends with its referee."""

import errno
import os
import shutil
import signal
import sys
import threading
from pathlib import Path

import pytest
from helpers import wait_until
from host.hosting import END, FREE, Hosts, play_message, start_message
from host.jailing import need_level
from host.warming import in_a_copy, number_of, runs

from joute.host import BotLimits, Fault, Level
from joute.host import zygote as zygote_module
from joute.host.child import zygote as child_zygote
from joute.host.zygote import VARIABLE, Forked, Zygote, dismiss, package_of, zygote_of

FIRST = "def play(observation, clock):\n    return observation['legal'][0]\n"
LEAVING = """
    import os, random, sys
    random.seed(1)
    random.mark = "left behind"
    os.environ["MARK"] = "left behind"
    sys.path.append("/left/behind")
    def play(observation, clock):
        return 0
    """
LOOKING = """
    import os, random, sys
    def play(observation, clock):
        found = [getattr(random, "mark", ""), os.environ.get("MARK", ""), random.random()]
        return {"action": 0, "message": repr([*found, "/left/behind" in sys.path])}
    """


def parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[1])


@pytest.fixture(autouse=True)
def warm():
    """A warm interpreter of this test's own."""
    if sys.platform != "linux":
        pytest.skip("only Linux has it")
    dismiss()
    yield
    dismiss()


@pytest.mark.full
def test_bots_are_forked_of_one_warm_interpreter_that_leaves_with_its_thread(hosts):
    parents, processes = [], []

    def play():
        bots = [hosts.source(FIRST), hosts.source(FIRST, FREE)]
        parents.extend(parent(bot.pid) for bot in bots)
        processes.extend(bot._process for bot in bots)
        for bot in bots:
            bot.close()

    thread = threading.Thread(target=play)
    thread.start()
    thread.join()
    assert all(isinstance(each, Forked) for each in processes)
    assert len(set(parents)) == 1
    assert parents[0] != os.getpid()
    processes.clear()
    wait_until(lambda: not runs(parents[0]))


def test_nothing_that_a_bot_leaves_behind_is_seen_by_the_next(hosts):
    hosts.source(LEAVING).end(END)
    seen = [eval(hosts.source(LOOKING).ask(play_message()).message) for _ in range(2)]
    assert [each[:2] + each[3:] for each in seen] == [["", "", False]] * 2
    assert seen[0][2] != seen[1][2]  # random numbers


def test_the_memory_of_the_warm_interpreter_holds_nothing_of_a_bot(hosts):
    secret = "of_the_bot_" + "x" * 8
    hosts.source(f"{secret} = 1\n{FIRST}", name=f"{secret}.py").end(END)
    from play.bot_processes import holdings

    found = holdings(number_of(zygote_of(sys.executable)))
    assert b"joute_child" in found["memory"]
    assert secret.encode() not in found["memory"]
    assert not [each for each in found["open"].values() if secret in each]


def test_a_module_beside_a_bot_is_its_own_even_if_the_warm_interpreter_has_one_of_that_name(hosts):
    hosts.write("string.py", "OWN = True")
    bot = hosts.source("import string\ndef play(o, c):\n    return int(string.OWN)\n")
    assert bot.ask(play_message()).action == 1


@pytest.mark.parametrize("name", ["bot", "bot.zip"])
def test_so_is_one_in_its_folder_or_zip(hosts, name):
    folder = hosts.folder / "bot"
    folder.mkdir()
    (folder / "bot.py").write_text("import string\ndef play(o, c):\n    return int(string.OWN)\n")
    (folder / "string.py").write_text("OWN = True\n")
    shutil.make_archive(str(folder), "zip", folder)
    assert hosts.started(name, base=hosts.folder).ask(play_message()).action == 1


def test_a_zip_that_is_none_fails_at_its_own_start(hosts):
    (hosts.folder / "bot.zip").write_bytes(b"no zip")
    answer = hosts.bot("bot.zip", base=hosts.folder).start(start_message())
    assert answer.fault is Fault.START_UP
    assert "not a zip file" in answer.detail


def test_a_forked_process_carries_the_mark_of_its_own_bot(hosts):
    bot = hosts.source(FIRST)
    environ = Path(f"/proc/{bot.pid}/environ").read_bytes().split(b"\0")
    assert b"JOUTE_BOT=" + bot._tag.encode() in environ


def test_a_fault_before_the_bot_is_read_is_not_the_bot_s_and_is_told(hosts):
    bot = hosts.bot("mine.py", base=hosts.write("mine.py", FIRST))
    shutil.rmtree(hosts.folder)
    answer = bot.start(start_message())
    assert answer.fault is Fault.INFRASTRUCTURE
    assert "FileNotFoundError" in answer.detail
    hosts.folder.mkdir()


def test_an_interpreter_is_started_anew_where_that_is_wanted(hosts, monkeypatch):
    monkeypatch.setenv(VARIABLE, "off")
    assert parent(hosts.source(FIRST).pid) == os.getpid()


def test_an_interpreter_that_cannot_be_kept_warm_is_started_anew(hosts):
    script = hosts.write("python", "") / "python"
    script.write_text(
        f'#!/bin/sh\ncase "$*" in *--zygote*) exit 3 ;; esac\nexec {sys.executable} "$@"\n'
    )
    script.chmod(0o755)
    hosts.write("mine.py", FIRST)
    for _ in range(2):
        bot = hosts.started("mine.py", FREE, base=hosts.folder, python=str(script))
        assert parent(bot.pid) == os.getpid()


def test_bots_end_with_their_warm_interpreter_and_others_can_be_started(hosts):
    bot = hosts.source(FIRST)
    os.kill(number_of(zygote_of(sys.executable)), signal.SIGKILL)
    wait_until(lambda: not runs(bot.pid))
    answer = bot.ask(play_message())
    assert answer.fault is Fault.INFRASTRUCTURE, answer  # somebody else has killed it
    assert not bot.alive
    assert hosts.source(FIRST).ask(play_message()).fault is None


def test_a_copy_of_the_referee_has_a_warm_interpreter_of_its_own(tmp_path):
    ours = number_of(zygote_of(sys.executable))

    def play():
        bot = Hosts(tmp_path).source(FIRST)
        found = str(parent(bot.pid))
        bot.close()
        dismiss()
        return found

    child, said = in_a_copy(play)
    theirs = int(said)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    assert ours != theirs
    assert runs(ours)


def test_want_of_processes_is_told(hosts, monkeypatch):
    def fork():
        raise OSError(errno.EAGAIN, "no more processes")

    ours, theirs = os.pipe()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fork", fork)
        assert child_zygote._fork(None, theirs, None, set()) == (0, errno.EAGAIN)
    os.close(ours)
    zygote = zygote_of(sys.executable)
    monkeypatch.setattr(zygote, "asked", lambda *_: (0, errno.EAGAIN))
    with pytest.raises(BlockingIOError, match="Resource temporarily unavailable"):
        zygote.fork([], {}, (0, 1, 2), None)


def test_one_that_does_not_leave_is_killed(monkeypatch):
    zygote = zygote_of(sys.executable)
    assert zygote.asked(b"u", 1) == (0, 0)  # it is there
    os.kill(number_of(zygote), signal.SIGSTOP)
    monkeypatch.setattr(zygote_module, "_LEAVE_SECONDS", 0.01)
    dismiss()
    assert not runs(number_of(zygote))


def test_without_the_system_for_it_there_is_none(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    assert zygote_of(sys.executable) is None


def test_the_levels_below_the_jail_use_it_too_and_bubblewrap_does_not(hosts):
    assert parent(hosts.source(FIRST, FREE).pid) == number_of(zygote_of(sys.executable))
    need_level(Level.FULL)
    bot = hosts.source(FIRST, BotLimits(isolation=Level.FULL))
    assert parent(bot.pid) == os.getpid()


def test_a_bot_that_names_numpy_finds_it_ready_and_its_random_numbers_new(hosts):
    text = """
        import sys
        ready = "numpy" in sys.modules
        import numpy
        def play(observation, clock):
            return {"action": int(ready), "message": str(numpy.random.random())}
        """
    answers = [hosts.source(text).ask(play_message()) for _ in range(2)]
    assert [answer.action for answer in answers] == [1, 1]
    assert answers[0].message != answers[1].message


def test_a_package_that_is_not_there_is_the_bots_own_affair(hosts):
    zygote = Zygote(sys.executable, "no_such_package_anywhere")
    assert zygote.asked(b"u", 1) == (0, 0)
    zygote.close()


def test_what_cannot_be_read_names_no_package(tmp_path):
    assert package_of(tmp_path / "nothing.py") == ""
    (tmp_path / "bot.py").write_text("import numpy")
    assert package_of(tmp_path) == package_of(tmp_path / "bot.py") == "numpy"
    (tmp_path / "other.py").mkdir()
    (tmp_path / "bot.py").unlink()
    assert package_of(tmp_path) == ""
