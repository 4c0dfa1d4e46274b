"""Every bot, and whatever a bot has started, ends with a referee that is killed."""

import os
import signal
import sys
from pathlib import Path

import pytest
from helpers import wait_until
from host.hosting import EASY, PARENTS, Hosts, play_message
from host.jailing import JAILED, need_level
from host.warming import in_a_copy, number_of, runs

from joute.host import BotLimits
from joute.host import zygote as zygote_module
from joute.host.zygote import dismiss, zygote_of

PARENT = """
    import subprocess, sys
    def play(observation, clock):
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        return {"action": 0, "message": str(child.pid)}
    """
PROGRAM = """\
    #!/bin/sh
    read -r line
    echo '{"type":"ready"}'
    read -r line
    sleep 60 &
    echo "{\\"type\\":\\"action\\",\\"action\\":0,\\"message\\":\\"$!\\"}"
    read -r line
    """


@pytest.fixture(autouse=True)
def warm():
    """A warm interpreter of this test's own."""
    if sys.platform != "linux":
        pytest.skip("only Linux has it")
    dismiss()
    yield
    dismiss()


@pytest.mark.parametrize(
    ("name", "text", "limits"),
    [("mine.py", PARENT, PARENTS), ("mine.sh", PROGRAM, EASY)],
    ids=["python", "program"],
)
@pytest.mark.parametrize("level", JAILED)
def test_a_killed_referee_leaves_no_bot_running_and_nothing_that_a_bot_has_started(
    tmp_path, level, name, text, limits
):
    need_level(level)

    def play():
        hosts = Hosts(tmp_path)
        (hosts.write(name, text) / name).chmod(0o755)
        held = BotLimits(isolation=level, children=True, memory_mb=limits.memory_mb)
        bot = hosts.started(name if name.endswith(".py") else f"./{name}", held, base=tmp_path)
        answer = bot.ask(play_message())
        session = [bot.pid, bot.bot_pid]
        names = [each.name for each in Path("/proc").iterdir()]
        session += [int(name) for name in names if name.isdigit() and _in(name, bot)]
        return repr((answer.message, session))

    referee, said = in_a_copy(play)
    message, session = eval(said)
    assert message.isdigit()
    assert len(set(session)) >= 2
    os.kill(referee, signal.SIGKILL)
    os.waitpid(referee, 0)
    wait_until(lambda: not any(map(runs, session)))


def _in(pid, bot):
    try:
        return os.getsid(int(pid)) == bot.pid
    except ProcessLookupError:
        return False


def test_a_session_that_has_ended_is_forgotten(hosts):
    (hosts.write("mine.sh", PROGRAM) / "mine.sh").chmod(0o755)
    bot = hosts.started("./mine.sh", base=hosts.folder)
    keeper = bot._keeper
    assert keeper is zygote_of(sys.executable)
    bot.close()
    assert bot._keeper is None
    dismiss()
    keeper.unwatch(1)  # which nobody would hear


def test_no_session_is_watched_over_where_nobody_answers(monkeypatch):
    zygote = zygote_of(sys.executable)
    os.kill(number_of(zygote), signal.SIGKILL)
    assert zygote_module.watched(os.getpid()) is None
    assert zygote_of(sys.executable) is None
