"""A bot's processes: stopped between turns, and ended without a trace."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from helpers import PATIENCE, wait_until
from host.hosting import BOTS, FREE, play_message, start_message
from msgspec.structs import replace

from joute.host import Fault, descendants
from joute.host.descendants import end_family

FIRST = "def play(observation, clock):\n    return observation['legal'][0]\n"


def state_of(pid):
    """The state letter of a process; None when it has gone for good."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return None
    state = stat[stat.rindex(b")") + 2 :].split()[0].decode()
    return None if state in "ZX" else state


def gone(pid):
    return state_of(pid) is None


def test_a_bot_is_stopped_between_its_turns(hosts):
    bot = hosts.source(FIRST)
    assert wait_until(lambda: state_of(bot.pid) == "T", what="the stop after ready")
    for _ in range(3):
        assert bot.ask(play_message()).action == 1
        assert wait_until(lambda: state_of(bot.pid) == "T", what="the stop after an answer")


def test_a_bot_cannot_think_on_the_opponents_time(hosts):
    bot = hosts.source("""
        import threading
        count = 0

        def think():
            global count
            while True:
                count += 1

        threading.Thread(target=think, daemon=True).start()

        def play(observation, clock):
            return {"action": 1, "message": str(count)}
        """)
    bot.ask(play_message())
    wait_until(lambda: state_of(bot.pid) == "T")
    before = cpu_ticks(bot.pid)
    busy = os.times().user
    while os.times().user < busy + 0.1:
        pass
    assert cpu_ticks(bot.pid) == before
    assert bot.ask(play_message()).fault is None


def cpu_ticks(pid):
    stat = Path(f"/proc/{pid}/stat").read_bytes()
    return stat[stat.rindex(b")") + 2 :].split()[11:13]


# The code of the bot's process after it has started the others, and its end.
AFTER_FORKING = {
    "loop": ("while True:\n        pass", Fault.TIMEOUT),
    "answer": ("return False", None),
    "crash": ("os._exit(1)", Fault.CRASH),
    "segfault": ("os.kill(os.getpid(), 11)", Fault.CRASH),
}


@pytest.mark.game("virus")
@pytest.mark.parametrize("then", ["loop", "answer"])
def test_ending_a_bot_ends_every_process_that_it_has_started(hosts, then):
    text = (BOTS / "forking.py").read_text()
    what, fault = AFTER_FORKING[then]
    assert "while True:\n        pass\n" in text
    limits = replace(FREE, move_seconds=0.5)
    bot = hosts.source(text.replace("while True:\n        pass\n", what + "\n"), limits)
    answer = bot.ask(play_message())
    assert answer.fault is fault
    started = [int(pid) for pid in answer.output.split()[1:]]
    assert len(started) == 2
    if answer.alive:
        assert not any(gone(pid) for pid in started)
    bot.close()
    assert gone(bot.pid)
    for pid in started:
        assert wait_until(lambda pid=pid: gone(pid), what=f"the end of {pid}")


def test_a_process_that_does_not_lead_its_own_session_yet_is_ended_too():
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    end_family(process.pid, "none")
    process.communicate()  # would let one that goes on end by itself
    assert process.returncode == -signal.SIGKILL


@pytest.mark.game("virus")
@pytest.mark.parametrize("then", ["crash", "segfault"])
def test_a_bot_that_dies_leaves_none_of_its_own_behind(hosts, then):
    what, fault = AFTER_FORKING[then]
    # The environment is kept: a dead bot's orphans are known by its tag.
    text = (BOTS / "forking.py").read_text().replace('3600"], {})', '3600"], os.environ)')
    bot = hosts.source(text.replace("while True:\n        pass\n", what + "\n"), FREE)
    answer = bot.ask(play_message())
    assert answer.fault is fault
    started = [int(pid) for pid in answer.output.split()[1:]]
    assert len(started) == 2
    for pid in started:
        assert wait_until(lambda pid=pid: gone(pid), what=f"the end of {pid}")


@pytest.mark.parametrize("empty", [0, 3, 1_000_000])
def test_a_process_that_is_becoming_another_program_is_waited_for(monkeypatch, empty):
    places = {"environ": empty, "cmdline": empty}
    read_now = descendants._read

    def read(path):
        place = Path(path).name
        if path.startswith(f"/proc/{child.pid}/") and places.get(place, 0) > 0:
            places[place] -= 1
            return b""
        return read_now(path)

    sleep = ["sleep", "3600"]
    bot = subprocess.Popen(sleep)
    marked = {**os.environ, "JOUTE_BOT": "tag"}
    child = subprocess.Popen(sleep, env=marked, start_new_session=True)
    monkeypatch.setattr(descendants, "_read", read)
    deadline = time.monotonic() + (0.01 if empty > 3 else PATIENCE)
    try:
        found = descendants.relatives(bot.pid, "tag", deadline)
    finally:
        for process in (child, bot):
            process.kill()
            process.wait()
    assert found == ({child.pid} if empty <= 3 else set())


def test_a_bot_dies_with_its_referee(tmp_path):
    (tmp_path / "loop.py").write_text("def play(o, c):\n    return 0\n")
    referee = textwrap.dedent(f"""
        import sys
        from pathlib import Path
        sys.path.insert(0, {str(Path(__file__).parents[2] / "src")!r})
        from joute.host import HostedBot, BotLimits, command_for, parse_bot
        limits = BotLimits()
        bot = HostedBot(command_for(parse_bot("loop.py", Path({str(tmp_path)!r})), limits), limits)
        bot.start({start_message()!r})
        print(bot.pid, flush=True)
        sys.stdin.read()
        """)
    with subprocess.Popen(
        [sys.executable, "-c", referee], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        bot = int(process.stdout.readline())
        assert not gone(bot)
        process.kill()
    assert wait_until(lambda: gone(bot), what="the end of the bot")
