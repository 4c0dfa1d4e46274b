"""The jail, met by bots and programs that try it."""

import json
import os
import re
import socket
import sys
from pathlib import Path

import pytest
from helpers import wait_until
from host.hosting import EASY, PARENTS, play_message
from host.jailing import ATTEMPTING, JAILED, attempted, need_level
from msgspec.structs import replace

from joute.host import BotLimits, Fault, Level, granted, program_command
from joute.host.launched import Launched
from joute.host.sandbox import canary, policy
from joute.host.sandbox.spawning import BotCommand

FORBIDDEN = {*canary.KERNEL, *canary.TREE}
LEADS = {"leave_session"}
"""Attempts that no program succeeds in at any level, where it leads its session."""
COUNTED = {*canary.LIMITS}
"""Attempts that limits prevent without a jail."""


@pytest.fixture(params=JAILED)
def jailed(request):
    """Limits at each level that jails."""
    need_level(request.param)
    return replace(EASY, isolation=request.param)


def tried(hosts, attempts, limits, head=""):
    """The result of each expression that a bot evaluates."""
    bot = hosts.source(head + ATTEMPTING, limits)
    answer = bot.ask(play_message(attempts=attempts))
    assert answer.fault is None, answer
    return answer.message.split(" | ")


def test_what_the_canary_attempts_can_be_done_without_the_jail():
    # Not every file system takes attributes.
    done = attempted("kernel", Level.LIMITS) | {"change_attributes"}
    assert done == FORBIDDEN - LEADS - COUNTED


def test_what_limits_hold_can_be_done_without_them():
    assert attempted("limits", Level.NONE) == COUNTED
    assert attempted("limits", Level.LIMITS) == set()


@pytest.mark.parametrize("level", JAILED)
@pytest.mark.parametrize("landlock", [1, 3, policy.ANY_VERSION])
def test_in_the_jail_nothing_of_it_can_be_done_however_old_the_kernels_landlock(
    level, landlock, monkeypatch
):
    need_level(level)
    monkeypatch.setattr(policy, "ANY_VERSION", landlock)
    assert attempted("kernel", level) == set()


def test_a_bot_reads_what_it_imports_beside_it_and_nothing_else_that_lies_there(hosts, jailed):
    hosts.write("helper.py", "import deeper\nanswer = deeper.answer\n")
    hosts.write("deeper.py", "answer = 42\n")
    hosts.write("weights.txt", "1 2 3")
    hosts.write("rival.py", "secret = 1\n")
    (hosts.folder / "pupil").mkdir()
    hosts.write("pupil/bot.py", "secret = 2\n")
    found = tried(
        hosts,
        ["helper.answer", "open('weights.txt').read()", "open('riv' + 'al.py')",
         "open('pup' + 'il/bot.py')", "sorted(os.listdir('/home'))", "open('/etc/passwd')"],
        jailed,
        head="import helper\nWEIGHTS = 'weights.txt'\n",
    )  # fmt: skip
    assert found[0] == "42"
    assert set(found[1:]) <= {"PermissionError", "FileNotFoundError"}


def test_what_is_hidden_stays_so_even_if_it_is_named_or_in_a_bots_own_folder(hosts, jailed):
    hosts.write("rival.py", "secret = 1\n")
    limits = replace(jailed, hidden=(str(hosts.folder / "rival.py"),))
    [found] = tried(hosts, ["open('rival.py').read()"], limits, head="RIVAL = 'rival.py'\n")
    assert found in ("PermissionError", "FileNotFoundError")
    (hosts.folder / "mine" / "deep").mkdir(parents=True)
    for name in ("deep/rival.txt", "deep/own.txt", "bot.py"):
        (hosts.folder / "mine" / name).write_text(ATTEMPTING)
    limits = replace(jailed, hidden=(str(hosts.folder / "mine/deep/rival.txt"),))
    bot = hosts.started("mine", limits, base=hosts.folder)
    opened = ["open('deep/own.txt').close()", "open('deep/rival.txt')"]
    message = bot.ask(play_message(attempts=opened)).message
    assert message in ("None | PermissionError", "None | FileNotFoundError")


def test_more_can_be_made_readable(hosts, jailed, tmp_path_factory):
    shared = tmp_path_factory.mktemp("shared") / "book.txt"
    shared.write_text("openings")
    opened = [f"open({str(shared)!r}).read()"]
    assert tried(hosts, opened, jailed) != ["openings"]
    assert tried(hosts, opened, replace(jailed, readable=(str(shared.parent),))) == ["openings"]


def test_what_a_bot_writes_nobody_else_ever_sees(hosts, jailed, tmp_path):
    write = "open(os.environ['TMPDIR'] + '/note', 'x').close()"
    here = "open('note', 'x').close()"  # a program may keep a log beside itself
    # A second process of the same bot, and another bot, find it empty.
    for _ in range(2):
        found = tried(hosts, [write, here, "open('/tmp/note', 'x')"], jailed)
        assert found[0] == "None"
        assert found[1] == ("None" if jailed.isolation is Level.KERNEL else "OSError")
        assert found[2] in {"PermissionError", "FileNotFoundError", "OSError"}
    assert not (Path("/dev/shm") / "note").exists()
    assert not [*tmp_path.rglob("note")]


def test_a_file_that_a_bot_opens_to_change_it_stays_unreadable(hosts, tmp_path):
    need_level(Level.KERNEL)
    (tmp_path / "rival.py").write_text("a secret")
    (tmp_path / "rival.py").chmod(0o666)
    found = tried(
        hosts,
        [
            "open('rival.py', 'a').write('!')",
            "open('rival.py').read()",
            "[open(os.path.join(w, f)).read() for w, _, n in os.walk('/dev/shm') for f in n]",
        ],
        BotLimits(hidden=(str(tmp_path / "rival.py"),)),
    )
    assert found == ["1", "PermissionError", "[]"]
    assert (tmp_path / "rival.py").read_text() == "a secret"


def test_a_python_bot_starts_threads_and_processes_only_if_it_may(hosts, jailed):
    attempts = ["__import__('threading').Thread(target=int).start()", "os.system('true')"]
    thread, process = tried(hosts, attempts, jailed)
    assert thread == "None"
    assert process != "0"
    assert tried(hosts, attempts, replace(jailed, children=True)) == ["None", "0"]


def test_a_program_starts_processes_but_not_too_many_nor_out_of_its_session(hosts, jailed):
    text = """
        import json, os, sys
        def attempt(call):
            try:
                child = os.fork()
                if child == 0:
                    try:
                        call()
                    except PermissionError:
                        os._exit(1)
                    os._exit(0)
                return child
            except OSError:
                return None
        for line in sys.stdin:
            if '"start"' in line:
                print('{"type":"ready"}', flush=True)
            else:
                left = os.waitstatus_to_exitcode(os.waitpid(attempt(os.setsid), 0)[1])
                held, hold = os.pipe()
                started = [attempt(lambda: os.read(held, 1)) for _ in range(12)]
                count = len([each for each in started if each])
                print(json.dumps({"type": "action", "action": [left, count]}), flush=True)
        """
    hosts.write("mine.py", text)
    limits = replace(jailed, processes=8)
    bot = hosts.started(f"program:{sys.executable} mine.py", limits, base=hosts.folder)
    left, count = bot.ask(play_message()).action
    assert left == 1
    assert 1 <= count < 8


def test_what_a_program_starts_finds_its_own_file_and_nobody_else(jailed, hosts):
    text = """
        import json, os, sys
        for line in sys.stdin:
            if '"start"' in line:
                print('{"type":"ready"}', flush=True)
            else:
                found = os.popen("readlink /proc/self/exe").read().strip()
                others = os.path.exists("/proc/" + sys.argv[1])
                said = found + " " + str(others)
                print(json.dumps({"type": "action", "action": 0, "message": said}), flush=True)
        """
    hosts.write("mine.py", text)
    words = f"{sys.executable} mine.py {os.getpid()}"
    limits = replace(jailed, hidden=(str(hosts.folder / "mine.py"),))  # not from itself
    bot = hosts.started(f"program:{words}", limits, base=hosts.folder)
    answer = bot.ask(play_message())
    assert answer.fault is None, answer
    found, others = answer.message.split()
    assert Path(found).name in ("readlink", "busybox", "coreutils")
    if "programs_see_processes" not in granted().open:
        assert others == "False"


@pytest.mark.parametrize("above", [False, True])
def test_a_folder_that_is_readable_as_a_whole_is_written_to_in_memory_only(hosts, tmp_path, above):
    need_level(Level.KERNEL)
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "kept.txt").write_text("as it was")
    limits = BotLimits(readable=(str(tmp_path if above else folder),))
    (folder / "mine.py").write_text(ATTEMPTING)
    bot = hosts.started("mine.py", limits, base=folder)
    attempts = ["open('note', 'w').write('x')", "open('kept.txt', 'a').write('x')"]
    said = bot.ask(play_message(attempts=[*attempts, "open('kept.txt').read()[:9]"])).message
    assert said.split(" | ")[-1] == "as it was"
    assert sorted(each.name for each in folder.iterdir()) == ["kept.txt", "mine.py"]
    assert (folder / "kept.txt").read_text() == "as it was"


def test_a_folder_that_cannot_be_layered_is_read_all_the_same(hosts, tmp_path):
    need_level(Level.KERNEL)
    folder = tmp_path / "a:b,c"  # which the mount of a layer takes for two folders
    folder.mkdir()
    (folder / "bot.py").write_text(ATTEMPTING)
    (folder / "data.txt").write_text("1 2 3")
    bot = hosts.started(str(folder), BotLimits(), base=tmp_path)
    message = play_message(attempts=["open('data.txt').read()", "open('note', 'w')"])
    assert bot.ask(message).message == "1 2 3 | OSError"


def test_where_a_bot_of_one_file_works_there_is_nothing_of_others_not_even_a_name(hosts, jailed):
    hosts.write("rival.py", "secret = 1\n")
    attempts = ["sorted(os.listdir('.'))", "os.stat('rival.py')", "os.stat('/etc/passwd')"]
    assert tried(hosts, attempts, jailed) == [
        "['mine.py']",
        "FileNotFoundError",
        "FileNotFoundError",
    ]


def test_a_program_that_connects_reaches_its_port_and_nothing_else(jailed, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as ours, socket.create_server(("", 0)) as other:
        port = ours.getsockname()[1]
        (tmp_path / "program.py").write_text(f"""
import socket, sys
def attempt(kind, port):
    try:
        with socket.socket(*kind) as made:
            made.connect(("127.0.0.1", port))
            made.sendall(b"hello")
            return "connected"
    except OSError as error:
        return type(error).__name__
tcp = (socket.AF_INET, socket.SOCK_STREAM)
print(attempt(tcp, {other.getsockname()[1]}), attempt((socket.AF_INET, socket.SOCK_DGRAM), 53),
      attempt((socket.AF_INET6, socket.SOCK_STREAM), 80), attempt(tcp, int(sys.argv[1])))
""")
        words = [sys.executable, "program.py", str(port)]
        command = program_command(words, replace(jailed, network=port), tmp_path)
        program = Launched(command, 64, {})
        program.start()
        try:
            assert program.level is jailed.isolation
            program.listener.settimeout(20)
            with program.listener.accept()[0] as connection:
                assert connection.recv(9) == b"hello"
            assert program.settle(20)
            said = program.take_output().split()
        finally:
            program.close()
    assert said[0] in ("ConnectionRefusedError", "PermissionError")
    assert said[1:] == ["PermissionError", "PermissionError", "connected"]


def state_of(pid):
    stat = Path(f"/proc/{pid}/stat").read_bytes()
    return stat[stat.rindex(b")") + 2 :].split()[0].decode()


def test_a_jailed_bot_is_stopped_between_its_turns_and_its_own_time_is_charged(hosts, jailed):
    bot = hosts.source(ATTEMPTING, jailed)
    assert bot.level is jailed.isolation
    text = "exec('import time\\nwhile time.process_time() < 0.4: pass')"
    answer = bot.ask(play_message(attempts=[text]))
    assert answer.message == "None"
    assert answer.cpu_ms > 200
    assert answer.cpu_ms <= 400
    wait_until(lambda: state_of(bot.bot_pid) == "T", what="the stop after an answer")
    bot.close()
    wait_until(lambda: not Path(f"/proc/{bot.bot_pid}").exists(), what="the end of the bot")


def test_how_a_jailed_bot_ended_is_told_as_everywhere(hosts, jailed):
    answer = hosts.source("import os\ndef play(o, c):\n    os._exit(3)\n", jailed).ask(
        play_message()
    )
    assert answer.detail == "its process ended with status 3"
    answer = hosts.source("import ctypes\ndef play(o, c):\n    ctypes.string_at(0)\n", jailed).ask(
        play_message()
    )
    assert answer.detail == "its process was killed by SIGSEGV (Segmentation fault)"


REFUSED = "import os, socket\ndef play(observation, clock):\n    {}\n"


@pytest.mark.parametrize("forbidden", ["socket.socket()", "os.fork()", "os.nice(1)"])
def test_a_bot_that_fails_of_what_its_jail_refuses_has_the_fault_sandbox(hosts, jailed, forbidden):
    bot = hosts.source(REFUSED.format(forbidden), jailed)
    answer = bot.ask(play_message())
    assert (answer.fault, answer.alive) == (Fault.SANDBOX, True)
    assert forbidden in answer.detail
    assert "PermissionError" in answer.detail


def test_a_bot_that_refuses_something_itself_has_made_an_error_like_any_other(hosts, jailed):
    bot = hosts.source(REFUSED.format("raise PermissionError('my own rule')"), jailed)
    answer = bot.ask(play_message())
    assert (answer.fault, answer.alive) == (Fault.CRASH, True)
    assert "my own rule" in answer.detail


def test_without_a_jail_a_refusal_of_the_system_is_a_crash(hosts):
    text = REFUSED.format("raise PermissionError(1, 'of its own')")
    bot = hosts.source(text, BotLimits(isolation=Level.LIMITS))
    assert bot.ask(play_message()).fault is Fault.CRASH


def test_a_bot_that_cannot_be_jailed_does_not_start_at_all(hosts, jailed):
    command = hosts.bot("silent.py", jailed).command
    at = command.index("--jail") + 1
    for change in ({"landlock": 0}, {"filter": "AAAA"}, {"port": 70000}):
        broken = BotCommand(list(command), command.level)
        broken[at] = json.dumps({**json.loads(command[at]), **change})
        answer = hosts.command(broken).start({"type": "start"})
        assert answer.fault is Fault.START_UP
        assert "the sandbox cannot be set: " in answer.output


def users_of(pid):
    """The real, effective, saved and file system's user of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    return set(re.findall(r"^Uid:\s+(.*)$", status, re.MULTILINE)[0].split())


def test_started_by_root_every_bot_is_a_user_of_its_own(hosts, jailed):
    if os.geteuid() != 0:
        pytest.skip("only root can give a bot the number of another user")
    users = [users_of(hosts.source(ATTEMPTING, jailed).bot_pid) for _ in range(2)]
    assert [len(each) for each in users] == [1, 1]
    assert users[0] != users[1]
    assert not any(int(user) < 1 << 30 for each in users for user in each)


def test_a_bot_has_no_privilege_left_nor_can_get_any(hosts, jailed):
    pid = hosts.source(ATTEMPTING, jailed).bot_pid
    status = Path(f"/proc/{pid}/status").read_text()
    held = dict(re.findall(r"^Cap(\w+):\s+(\w+)$", status, re.MULTILINE))
    # As root, it ignores the owners of files, which Landlock guards.
    most = 1 << 1 if os.geteuid() == 0 else 0
    assert {int(held[each], 16) for each in ("Inh", "Prm", "Eff", "Bnd", "Amb")} == {most}
    assert re.search(r"^NoNewPrivs:\s+1$", status, re.MULTILINE)


def test_a_bot_has_little_of_what_is_everybodys(hosts, jailed):
    pid = hosts.source(ATTEMPTING, jailed).bot_pid
    for name, most in {
        "Max stack size": 8 << 20,
        "Max open files": 64,
        "Max pending signals": 64,
        "Max locked memory": 0,
        "Max msgqueue size": 0,
        "Max nice priority": 0,
        "Max realtime priority": 0,
    }.items():
        [line] = [
            line
            for line in Path(f"/proc/{pid}/limits").read_text().splitlines()
            if line.startswith(name)
        ]
        assert line[25:].split()[:2] == [str(most)] * 2, line


def test_a_bot_below_the_jail_is_held_by_limits_only(hosts):
    bot = hosts.source(ATTEMPTING, BotLimits(isolation=Level.LIMITS))
    assert bot.level is Level.LIMITS
    opened = bot.ask(play_message(attempts=["len(open('/etc/passwd').read()) > 0"]))
    assert opened.message == "True"


def test_a_program_of_another_origin_has_no_level(hosts):
    assert hosts.command(["/bin/true"]).level is Level.NONE


def test_a_bot_that_may_start_processes_is_charged_for_them_in_the_jail(hosts, jailed):
    burn = "import time\\nwhile time.process_time() < 0.1: pass"
    started = f"__import__('subprocess').run([{sys.executable!r}, '-S', '-c', '{burn}'])"
    bot = hosts.source(ATTEMPTING, replace(PARENTS, isolation=jailed.isolation))
    assert bot.ask(play_message(attempts=[started])).cpu_ms > 80
