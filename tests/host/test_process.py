"""A hosted bot as the referee meets it: output, errors, clock, environment, end."""

import os
import resource
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from helpers import held
from host.hosting import EASY, END, FREE, PARENTS, QUICK, play_message, start_message

from joute.host import Fault, HostedBot
from joute.host.sandbox.spawning import BotCommand

FIRST = "def play(observation, clock):\n    return observation['legal'][0]\n"


def test_a_death_by_signal_is_told_in_words(hosts):
    bot = hosts.source("import os\ndef play(o, c):\n    os.kill(os.getpid(), 11)\n")
    answer = bot.ask(play_message())
    assert answer.detail == "its process was killed by SIGSEGV (Segmentation fault)"
    assert not answer.alive


def test_a_death_by_sigkill_says_that_memory_may_be_the_reason(hosts):
    bot = hosts.source("import os\ndef play(o, c):\n    os.kill(os.getpid(), 9)\n")
    answer = bot.ask(play_message())
    assert answer.fault is Fault.CRASH
    assert answer.detail == (
        "its process was killed by SIGKILL: somebody’s doing, or no memory was left"
    )


def test_closing_twice_or_before_the_start_does_nothing(hosts):
    bot = hosts.source(FIRST)
    bot.close()
    bot.close()
    hosts.bot("silent.py").close()
    with HostedBot(bot.command, EASY) as other:
        assert other.start(start_message()).fault is None
        assert other.alive
    assert not other.alive


def test_output_is_kept_with_the_ply_that_it_comes_from(hosts):
    bot = hosts.bot(
        "talks.py",
        PARENTS,
        base=hosts.write(
            "talks.py",
            """
        import os, sys
        print("import")

        def play(observation, clock):
            ply = observation["passes"]
            print("ply", ply, "\\udc80")
            print("error", file=sys.stderr)
            os.write(1, b"raw \\xff\\n")
            os.system("echo from a shell")
            return ply
        """,
        ),
    )
    assert bot.start(start_message()).output == "import\n"
    for ply in range(3):
        answer = bot.ask(play_message(passes=ply))
        assert answer.action == ply
        assert (
            answer.output
            == f"ply {ply} \\udc80\nerror\nraw \N{REPLACEMENT CHARACTER}\nfrom a shell\n"
        )


def test_output_is_kept_when_the_bot_fails(hosts):
    text = "def play(o, c):\n    print('before the end')\n    import os; os._exit(1)\n"
    assert hosts.source(text).ask(play_message()).output == "before the end\n"


def test_reading_the_standard_input_finds_nothing_and_is_a_crash(hosts):
    answer = hosts.source("def play(o, c):\n    return int(input())\n").ask(play_message())
    assert answer.fault is Fault.CRASH
    assert "line 2: a bot has no terminal in a game; joute debug" in answer.detail


def test_the_environment_is_bare_and_the_hash_of_texts_fixed(hosts, monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "of the teacher")
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    text = """
        import os
        def play(observation, clock):
            return {"action": 0, "message": " ".join(sorted(os.environ)) + str(hash("joute"))}
        """
    seen = {hosts.source(text).ask(play_message()).message for _ in range(2)}
    assert len(seen) == 1
    names = seen.pop()
    assert "SECRET" not in names
    assert "PYTHONPATH" not in names
    assert "PYTHONHASHSEED" in names
    assert "OMP_NUM_THREADS" in names


def test_the_end_is_told_and_the_bot_has_time_to_hear_it(hosts):
    text = """
        class Bot:
            def play(self, observation, clock):
                return 0

            def end(self, returns):
                open("heard.txt", "w").write(str(returns))
        """
    bot = hosts.source(text, FREE)
    bot.ask(play_message())
    bot.end(END)
    assert not bot.alive
    assert (hosts.folder / "heard.txt").read_text() == "[1.0, -1.0]"


def test_a_bot_that_will_not_leave_at_the_end_is_ended(hosts):
    bot = hosts.source("""
        class Bot:
            def play(self, observation, clock):
                return 0

            def end(self, returns):
                while True:
                    pass
        """)
    bot.end(END)
    assert not bot.alive
    bot.end(END)


def test_an_interpreter_that_does_not_exist_is_a_failed_start(hosts):
    bot = hosts.bot("silent.py", python="/no/such/python")
    answer = bot.start(start_message())
    assert answer.fault is Fault.START_UP
    assert answer.detail == "cannot run /no/such/python: No such file or directory"
    assert not answer.alive


def test_want_of_descriptors_is_the_fault_of_the_machine(hosts, monkeypatch):
    bot = hosts.bot("silent.py")
    monkeypatch.setattr(os, "pipe", lambda: (_ for _ in ()).throw(OSError(24, "Too many files")))
    answer = bot.start(start_message())
    assert answer.fault is Fault.INFRASTRUCTURE


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux has such descriptors")
@pytest.mark.parametrize("variable", ["", "off"])
def test_a_process_for_which_a_descriptor_is_missing_is_ended_with_its_pipes(
    hosts, monkeypatch, variable
):
    monkeypatch.setenv("JOUTE_ZYGOTE", variable)
    hosts.started("silent.py").close()  # what is opened once for all bots is open
    bot = hosts.bot("silent.py")
    before = held()
    monkeypatch.setattr(os, "pidfd_open", lambda pid: (_ for _ in ()).throw(OSError(24, "few")))
    answer = bot.start(start_message())
    assert answer.fault is Fault.INFRASTRUCTURE
    assert held() <= before
    with pytest.raises(ProcessLookupError):
        os.killpg(bot.pid, 0)
    bot.close()


@pytest.mark.game("virus")
@pytest.mark.parametrize("variable", ["", "off"])
def test_a_bot_plays_with_few_descriptors(hosts, monkeypatch, variable):
    monkeypatch.setenv("JOUTE_ZYGOTE", variable)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, hard))
    try:
        with ThreadPoolExecutor(1) as apart:  # a thread of its own: its warm interpreter is new
            answer = apart.submit(hosts.bot("silent.py").start, start_message()).result()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert (answer.fault, answer.detail) == (None, "")


@pytest.mark.parametrize("words", ["sys.exit(3)", "os.kill(os.getpid(), 9)", "os._exit(126)"])
def test_an_interpreter_that_ends_before_the_bot_is_read_is_not_the_bot_s_fault(hosts, words):
    broken = hosts.write("broken.py", f"import os, sys\nprint('no room', file=sys.stderr)\n{words}")
    command = BotCommand([sys.executable, str(broken / "broken.py")], announces=True)
    answer = hosts.command(command).start(start_message())
    assert answer.fault is Fault.INFRASTRUCTURE
    assert "could not be started" in answer.detail
    assert "no room" in answer.detail or "signal" in answer.detail


@pytest.mark.parametrize("words", ["sys.exit(3)", "os.kill(os.getpid(), 9)", "os._exit(126)"])
def test_a_bot_that_ends_while_it_is_read_is_at_fault(hosts, words):
    base = hosts.write("broken.py", f"import os, sys\n{words}\ndef play(o, c): pass")
    answer = hosts.bot("broken.py", base=base).start(start_message())
    assert answer.fault is Fault.START_UP


def test_another_interpreter_runs_the_bot(hosts, tmp_path):
    other = tmp_path / "python-of-the-bot"
    other.symlink_to(Path(sys.executable).resolve())
    bot = hosts.bot(
        "where.py",
        base=hosts.write(
            "where.py",
            """
        import sys
        def play(observation, clock):
            return sys.executable
        """,
        ),
        python="./python-of-the-bot",
    )
    bot.start(start_message())
    assert bot.ask(play_message()).action == str(other)


def test_a_message_longer_than_a_pipe_arrives(hosts):
    text = "def play(o, c):\n    return len(o['grid'][0])\n"
    answer = hosts.source(text).ask(play_message(grid=["x" * 500_000]))
    assert answer.action == 500_000


def test_cpu_time_is_charged_and_sleep_is_not(hosts):
    text = """
        import time
        def play(observation, clock):
            if observation["passes"]:
                time.sleep(0.1)
            else:
                began = time.process_time()
                while time.process_time() < began + 0.1:
                    pass
            return 0
        """
    bot = hosts.source(text)
    busy = bot.ask(play_message(passes=0))
    idle = bot.ask(play_message(passes=1))
    assert 100 <= busy.cpu_ms <= busy.wall_ms + 20
    assert idle.cpu_ms < 50
    assert idle.wall_ms >= 100


def test_the_time_of_children_that_have_ended_is_charged(hosts):
    text = """
        import subprocess, sys
        BURN = "import time\\nwhile time.process_time() < 0.4: pass"
        def play(observation, clock):
            subprocess.run([sys.executable, "-c", BURN])
            return 0
        """
    assert hosts.source(text, PARENTS).ask(play_message()).cpu_ms >= 380


def test_the_time_of_children_that_go_on_is_charged_too(hosts):
    text = """
        import subprocess, sys
        BURN = "import time\\nwhile time.process_time() < 0.4: pass\\nprint(flush=True); input()"
        def play(observation, clock):
            global child
            pipe = subprocess.PIPE
            child = subprocess.Popen([sys.executable, "-c", BURN], stdin=pipe, stdout=pipe)
            child.stdout.readline()
            return 0
        """
    assert hosts.source(text, PARENTS).ask(play_message()).cpu_ms >= 380


def test_nothing_stays_open_after_many_games(hosts):
    command = hosts.source(FIRST).command
    before = held()
    for _ in range(3):
        with HostedBot(command, EASY) as bot:
            bot.start(start_message())
            bot.ask(play_message())
    assert held() <= before


def test_a_bot_that_was_ended_for_being_late_can_be_started_again_and_plays_on(hosts):
    loop = "    while observation['passes']:\n        pass\n"
    bot = hosts.source(f"def play(observation, clock):\n{loop}    return 7\n", QUICK)
    late = bot.ask(play_message(passes=1))
    assert (late.fault, late.alive) == (Fault.TIMEOUT, False)
    assert bot.start(start_message()).fault is None
    again = bot.ask(play_message(passes=0))
    assert (again.fault, again.action) == (None, 7)
