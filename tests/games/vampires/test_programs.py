"""Programs that connect, `tcp:COMMAND`: started, played with, ended, whatever they do."""

import errno
import fcntl
import os
import shutil
import sys
import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from games.vampires.players import MAP
from helpers import held, some, wait_until
from play.playing import SEED, seats

from joute.cli.main import main
from joute.contest.config.config import resolve
from joute.contest.errors import ConfigError
from joute.contest.records import Records
from joute.contest.run.match import run_match
from joute.core.registry import make
from joute.games.vampires.adapters import program
from joute.games.vampires.adapters.connection import RealClock
from joute.games.vampires.adapters.program import FixedPort, fixed_port, trusted
from joute.host import Level
from joute.host.content import content_hash
from joute.host.launched import Launched
from joute.host.limits import BotLimits, Limits
from joute.host.names import BotError, parse_bot
from joute.host.protocol import InfrastructureError
from joute.host.sandbox import applied
from joute.host.zygote import zygote_of
from joute.play.game import GameSpec, usual_costs
from joute.play.record import read_record
from joute.play.referee import play_game
from joute.play.seats import check_bot, open_seat
from joute.play.verify import verify_record

BOTS = Path(__file__).parents[2] / "bots"
ONE_LINE = " ".join(MAP.split("\n"))


@pytest.fixture(autouse=True)
def _at_once(monkeypatch):
    """No pause before the first turn, and an end without grace; what starts programs is there."""
    zygote_of(sys.executable)  # it stays from game to game
    monkeypatch.setattr(program, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(program, "_LEAVE_SECONDS", 0.05)
    monkeypatch.setattr("joute.games.vampires.adapters.connection.LINGER_SECONDS", 0.05)


def student(way="well"):
    return f"tcp:{sys.executable} vampires_student.py {{ip}} {{port}} {way}"


FIXED = f"tcp:{sys.executable} vampires_fixed.py"


def duel(*bots, plies=20, move_seconds=20.0, **limits):
    return GameSpec(
        game="vampires",
        parameters={"map": MAP, "plies": plies},
        bots=seats(*bots, base=BOTS),
        seed=SEED,
        limits=Limits(move_seconds=move_seconds, start_seconds=20.0, **limits),
        costs=usual_costs("vampires"),
    )


def faults(result):
    return [(f.seat, f.fault, f.cost) for f in result.faults]


def test_two_programs_play_a_game_and_leave_nothing_behind():
    before = held()
    result = play_game(duel(student(), student()))
    assert held() <= before
    assert (result.ending, result.faults) == ("finished", [])
    assert verify_record(result.record).ok
    first = read_record(result.record).plies[0]
    assert first["answer"] == [[1, 1, 4, 2, 1]]
    assert first["output"] == "turn 1\n"
    assert first["wall_ms"] > 0
    assert read_record(result.record).header["bots"][0]["isolation"] == applied(Level.KERNEL)


@pytest.mark.parametrize("other", ["builtin:random", "vampires_illegal"])
def test_a_program_plays_against_every_other_kind_of_bot(other, tmp_path):
    if other == "vampires_illegal":
        (tmp_path / "bot.py").write_text("def play(observation, clock):\n    return 'up'\n")
        other = str(tmp_path / "bot.py")
    for bots in ((student(), other), (other, student())):
        result = play_game(duel(*bots))
        assert all(f.seat == bots.index(other) for f in result.faults)
        assert verify_record(result.record).ok


@pytest.mark.parametrize(
    "way",
    [
        "exit1",
        "bytes",
        *(
            pytest.param(way, marks=pytest.mark.full)
            for way in ("linger", "again", "loud", "eternal")
        ),
    ],
)
def test_what_real_programs_do_costs_nothing(way):
    before = held()
    result = play_game(duel(student(way), student(way), plies=6))
    assert (result.ending, result.faults) == ("finished", [])
    assert held() <= before
    if way == "loud":
        assert read_record(result.record).plies[0]["output"].endswith("bytes more")


class Patience(RealClock):
    """A clock that runs out once a program has printed that it waits, too."""

    _over = 0.0

    @staticmethod
    def read(launched):
        there = READ(launched)
        if b"waiting" in launched._kept:
            Patience._over = 1000.0
        return there

    def __init__(self):
        Patience._over = 0.0

    def now(self):
        return super().now() + Patience._over


READ = Launched.read


@pytest.mark.parametrize(
    ("way", "said"),
    [
        ("broken", "its process ended with status 1 before it had connected"),
        ("absent", "it did not connect within 20 s"),
        ("mute", "it connected without saying its name (NME)"),
        ("wrong", "its first frame was b'HEL', which begins no frame, where NME is expected"),
        ("nameless", "its name (NME) is empty"),
    ],
)
def test_a_program_that_does_not_introduce_itself_has_lost(way, said, monkeypatch):
    monkeypatch.setattr(program, "RealClock", Patience)
    monkeypatch.setattr(program.Launched, "read", Patience.read)
    before = held()
    result = play_game(duel("builtin:random", student(way)))
    assert faults(result) == [(1, "start-up", "game")]
    printed = "ValueError: a bug at the start" if way == "broken" else "waiting"
    assert result.faults[0].detail == f"{said}; it printed last: {printed!r}"
    assert held() <= before
    output = read_record(result.record).plies[0].get("output", "")
    assert ("a bug at the start" in output) == (way == "broken")
    assert ("waiting" in output) == (way != "broken")
    assert verify_record(result.record).ok


def test_a_program_that_is_not_there_has_lost(tmp_path):
    (tmp_path / "run").write_text("#!/nowhere/at/all\n")
    (tmp_path / "run").chmod(0o755)
    spec = duel(f"tcp:{tmp_path / 'run'}", "builtin:random")
    result = play_game(spec)
    assert faults(result) == [(0, "start-up", "game")]
    assert "cannot run" in read_record(result.record).plies[0]["output"]


@pytest.mark.parametrize(
    ("way", "fault", "said"),
    [
        ("illegal", "illegal", "rule 4"),
        ("attack", "protocol", "b'ATK'"),
        ("crash", "crash", "it closed its connection; its process ended with status 1"),
    ],
)
def test_a_fault_costs_the_game(way, fault, said):
    result = play_game(duel(student(way), student()))
    assert faults(result) == [(0, fault, "game")]
    assert said in result.faults[0].detail
    assert verify_record(result.record).ok
    if way == "crash":
        assert result.faults[0].detail.endswith("last: 'ValueError: a bug in turn 3'")
        assert "a bug in turn 3" in read_record(result.record).plies[-1]["output"]


@pytest.mark.parametrize("way", ["silent", pytest.param("late", marks=pytest.mark.full)])
def test_a_late_program_loses_its_turn_and_is_not_ended(way):
    result = play_game(
        duel(student(way), "builtin:random", plies=8, move_seconds=0.2 if way == "silent" else 1.5)
    )
    assert {f.fault for f in result.faults[:1]} == {"timeout"}
    assert result.faults[0].cost == "turn"
    assert verify_record(result.record).ok
    if way == "silent":
        assert set(faults(result)) == {(0, "timeout", "turn")}
        assert len(result.faults) > 1


# The port that stands in a source.


def test_programs_with_the_port_in_their_source_play_on_it():
    result = play_game(duel(FIXED, FIXED, plies=6))
    assert (result.ending, result.faults) == ("finished", [])


def test_the_port_is_found_in_the_command_and_in_what_it_imports(tmp_path):
    (tmp_path / "main.py").write_text("import os, wires.deep\nfrom near import x\n")
    (tmp_path / "other.py").write_text("PORT = 5555\n")
    bot = parse_bot(f"tcp:{sys.executable} main.py", tmp_path)
    assert not fixed_port(bot)
    assert fixed_port(parse_bot(f"tcp:{sys.executable} main.py 5555", tmp_path))
    (tmp_path / "near.py").write_text("import far\n")
    assert not fixed_port(bot)
    (tmp_path / "far.py").write_text("import main, near\nPORT = 5555\n")
    assert fixed_port(bot)
    (tmp_path / "far.py").unlink()
    (tmp_path / "wires").mkdir()
    (tmp_path / "wires" / "deep.py").write_text("PORT = 5555\n")
    assert fixed_port(bot)
    (tmp_path / "wires" / "deep.py").unlink()
    (tmp_path / "wires" / "gone.py").symlink_to("nowhere")
    assert not fixed_port(bot)
    (tmp_path / "notes.txt").write_text("import far\n")
    assert not fixed_port(parse_bot(f"tcp:{sys.executable} main.py notes.txt", tmp_path))
    assert not fixed_port(parse_bot(student(), BOTS))
    assert fixed_port(parse_bot(FIXED, BOTS))


def test_one_game_at_a_time_has_the_port(tmp_path, monkeypatch):
    monkeypatch.setattr(program.tempfile, "gettempdir", lambda: str(tmp_path))
    ours, shared = FixedPort(), FixedPort()
    with (tmp_path / "joute-port-5555.lock").open() as other:
        for each in (ours, shared):
            with pytest.raises(BlockingIOError):
                fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            each.close()
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
    FixedPort().close()


def test_a_lock_that_cannot_be_had_leaves_nothing_open(tmp_path, monkeypatch):
    def stopped(file, how):
        raise KeyboardInterrupt

    monkeypatch.setattr(program.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(program.fcntl, "flock", stopped)
    before = held()
    with pytest.raises(KeyboardInterrupt):
        FixedPort()
    assert held() <= before


# Names, and who may sit where.


def test_a_program_is_known_by_its_words_and_the_bytes_of_its_files(tmp_path):
    (tmp_path / "a.py").write_text("1")
    spec = parse_bot("tcp:python3 a.py --fast", tmp_path)
    assert (spec.kind, spec.dialect) == ("program", "tcp")
    known = content_hash(spec)
    (tmp_path / "a.py").write_text("2")
    assert content_hash(spec) != known
    assert content_hash(spec) != content_hash(parse_bot("program:python3 a.py --fast", tmp_path))


def test_the_command_joute_is_found_beside_the_interpreter(monkeypatch):
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    assert parse_bot("tcp:joute vampires client").command[0].endswith("/joute")


@pytest.mark.game("virus")
def test_other_games_and_places_refuse_with_the_reason(tmp_path):
    with pytest.raises(BotError, match=r"connect \(tcp:\) play vampires, and no other game"):
        check_bot(parse_bot(student(), BOTS), make("virus"))
    with pytest.raises(BotError, match="joute vampires serve"):
        open_seat(seats("remote")[0], duel("remote", "remote"), make("vampires"), None)
    (tmp_path / "contest.toml").write_text(
        'bots = ["remote", "builtin:random"]\n[game]\nname = "vampires"\n', "utf-8"
    )
    with pytest.raises(ConfigError, match="joute vampires"):
        resolve(tmp_path / "contest.toml")


def test_a_match_of_programs_with_return_games():
    result = run_match(
        "vampires",
        {"plies": 10},
        [student(), student("bytes")],
        games=2,
        seed=1,
        workers=2,
        base=BOTS,
    )
    assert [game.ending for game in result.games] == ["finished", "finished"]
    assert not result.failures


# That of these tests: another that stands first in the PATH is not in the jail of the clients.
JOUTE = Path(sys.executable).with_name("joute")
CLIENT = f"tcp:{JOUTE} vampires client --bot builtin:{{}}"


def clients(number):
    """A game of two of our own clients; the sides are exchanged from game to game."""
    bots = [CLIENT.format("random"), CLIENT.format("nearest")]
    spec = duel(*(bots if number % 2 else bots[::-1]), plies=20)
    return msgspec.structs.replace(spec, seed=f"{number:032x}")


def test_two_clients_of_ours_play_a_game():
    result = play_game(clients(0))
    assert (result.ending, result.faults) == ("finished", [])
    assert "playing Vampires" in read_record(result.record).plies[0]["output"]


@pytest.mark.full
@pytest.mark.parametrize("games", some([8, 50], 2))
def test_games_of_our_clients_leave_no_process_no_socket_and_no_file(games, tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # nobody else writes there
    before, files = held(), temporary()
    for number in range(games):
        result = play_game(clients(number))
        assert (result.ending, result.faults) == ("finished", [])
        assert verify_record(result.record).ok
    assert held() <= before
    assert temporary() == files


def temporary():
    """The folder of temporary files, but for the lock of the port."""
    found = Path(tempfile.gettempdir()).iterdir()
    return {
        path.name for path in found if path.name.startswith("joute") and "port" not in path.name
    }


def test_a_contest_of_programs_with_return_matches(tmp_path, monkeypatch):
    text = f"""
bots = [
  {{ bot = "{student().replace("vampires_student", "studying")}", name = "student" }},
  {{ bot = "{FIXED}", name = "fixed" }},
  {{ bot = "{student("illegal").replace("vampires_student", "studying")}", name = "cheat" }},
  "builtin:nearest",
]
[contest]
games = 2
workers = 3
[game]
name = "vampires"
map = "skirmish"
plies = 20
[limits]
move_seconds = 10
"""
    for name in ("vampires_student.py", "vampires_fixed.py"):
        shutil.copy(BOTS / name, tmp_path)
    # A module that another bot imports must not be a bot: those are hidden from each other.
    shutil.copy(BOTS / "vampires_student.py", tmp_path / "studying.py")
    (tmp_path / "contest.toml").write_text(text, "utf-8")
    assert main(["contest", "run", str(tmp_path / "contest.toml")]) == 0
    with Records() as opened:
        paths = opened.listed(tmp_path / "contest.results")
        records = [opened.read(path) for path in paths]
    assert len(records) == 12
    assert all(verify_record(record).ok for record in records)
    found = [read_record(record) for record in records]
    pairs = Counter(tuple(bot["name"] for bot in record.header["bots"]) for record in found)
    assert set(pairs.values()) == {1}  # each as Vampires once against each other
    lost = [
        record.header["bots"][seat]["name"] for record in found for seat in record.end["forfeits"]
    ]
    assert set(lost) <= {"cheat"}


def test_a_script_may_start_the_program_and_leave(tmp_path):
    shutil.copy(BOTS / "vampires_student.py", tmp_path)
    (tmp_path / "start.sh").write_text(f"{sys.executable} $1 $2 $3 linger &\n")
    before = held()
    # Files that a script only names are not its own; those of its command are.
    files = f"{tmp_path / 'start.sh'} {tmp_path / 'vampires_student.py'}"
    spec = duel(f"tcp:sh {files}", "builtin:random", plies=4)
    [first, second] = spec.bots
    first = msgspec.structs.replace(first, base=str(tmp_path))
    result = play_game(msgspec.structs.replace(spec, bots=(first, second)))
    assert (result.ending, result.faults) == ("finished", [])
    assert held() <= before
    assert not running(tmp_path)


def running(folder):
    """The processes that work in a folder."""
    found = []
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            if process.name.isdigit() and (process / "cwd").readlink() == folder:
                found.append(process.name)
    return found


@pytest.mark.parametrize("number", [errno.EMFILE, errno.ENOENT])
def test_a_machine_that_cannot_start_a_program_is_not_the_program_s_fault(number, monkeypatch):
    def fails(*arguments, **values):
        raise OSError(number, "no more")

    monkeypatch.setattr("joute.host.launched.subprocess.Popen", fails)
    before = held()
    with pytest.raises(InfrastructureError, match=r"cannot start tcp:.*no more"):
        play_game(duel(student(), "builtin:random"))
    assert held() <= before


def test_a_program_that_runs_has_no_exit_to_tell(tmp_path):
    command = [sys.executable, "-c", "import time; print('here', flush=True); time.sleep(1000)"]
    program_ = Launched(command, 1, {})
    program_.start()
    wait_until(lambda: program_.read() and "here" in program_.take_output())
    assert (program_.ended(), program_.exit_words()) == (False, "")
    program_.close()


def test_a_seat_is_started_once_and_asked_only_then():
    bot = parse_bot(student("broken"), BOTS)
    seat = program.ProgramSeat(bot, BotLimits(start_seconds=20.0), make("vampires"))
    assert seat.ask([], {}).fault == "crash"
    seat.end({})
    message = {"player": 0, "events": []}
    assert seat.start(message).fault == "start-up"
    assert seat.start(message).detail == "a program that failed is not started again"
    seat.close()
    seat.close()


def test_a_program_that_holds_more_memory_than_it_may_is_ended():
    result = play_game(duel(student("hoard"), "builtin:random", memory_mb=64))
    assert faults(result)[0][:2] == (0, "memory")
    assert result.faults[0].detail == "one of its processes took more than 64 MiB of memory"


# Our own client.


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        ("joute vampires client --bot builtin:random", True),
        ("joute vampires client --bot=builtin:random", True),
        ("joute vampires client", True),
        ("joute vampires client --bot mine.py", False),
        ("joute vampires client --bot builtin:random --bot=mine.py", False),
        ("joute vampires serve", False),
        ("python3 joute vampires client", False),
    ],
)
def test_only_our_client_with_a_built_in_bot_is_trusted(command, ours, monkeypatch):
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    assert trusted(parse_bot(f"tcp:{command}", BOTS)) is ours


def test_a_program_that_is_only_called_like_our_client_is_not(tmp_path, monkeypatch):
    (tmp_path / "joute").write_text("#!/bin/sh\n")
    (tmp_path / "joute").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not trusted(parse_bot("tcp:joute vampires client", BOTS))
