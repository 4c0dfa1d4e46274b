"""Every command with files that are wrong in every way, and with outputs that cannot be written.

Whatever it is, the answer is a sentence and an exit code, and never a traceback.
"""

import os
import resource
import shutil
import sys
from pathlib import Path

import pytest
from helpers import english_words

from joute.cli.commands import build
from joute.cli.main import main
from joute.i18n import words

pytestmark = pytest.mark.game("love-letter", "paradise", "tron", "vampires", "virus")

SMALL = ("--param", "size=4")
CONTEST = """
bots = ["builtin:random", "mine.py"]
[contest]
games = 2
seed = "s"
workers = 1
[game]
name = "virus"
size = 4
"""
BOT = "def play(observation, clock):\n    return observation['legal'][0]\n"
ROOM = """tron 1
name little
size 6 3 1
option trail stay
option wrap none
floor 0
######
#1   #
######
end
"""
TESTS = Path(__file__).parents[1]
SERVING = ("serve", "vampires serve")

# Where each command reads a file; {} is the file, @record and the like are right ones.
READS = {
    "games": [],
    "game check": [("game", "{} --seconds 0.1")],
    "game playthrough": [("game", "{}")],
    "map check": [("map", "{}")],
    "map show": [("map", "{}")],
    "map convert": [("map", "{} --to xml")],
    "map import": [("map", "{}")],
    "map new": [],
    "play": [
        ("bot", "virus {} builtin:random --param size=4 --plain"),
        ("map", "tron builtin:random builtin:random --map {} --plain"),
    ],
    "tron solo": [
        ("map", "--map {} --bot builtin:wall --games 1"),
        ("bot", "--map @room --games 1 --bot {}"),
    ],
    "tron table": [("map", "--map {} --games 1 --simulations 2 --forms numpy")],
    "tron report": [("map", "--map {} --games 1 --simulations 2")],
    "vampires serve": [
        ("config", "--config {} --port 0 --plain"),
        ("map", "--map {} --port 0 --plain"),
    ],
    "vampires client": [
        ("bot", "127.0.0.1 1 --bot {}"),
        ("config", "--bot @bot --config {}"),
    ],
    "paradise": [("bot", "--agent1 {} --agent2 {} --n-games 1")],
    "new": [("folder", "{}")],
    "carry": [("folder", "virus builtin:greedy {}")],
    "check": [
        ("bot", "{} --game virus --param size=4 --skip games"),
        ("contest", "@bot --contest {} --skip games"),
        ("program", "@bot --game virus --python {} --skip games"),
    ],
    "match": [("bot", "virus {} builtin:random --games 2 --param size=4 --workers 1")],
    "promote": [
        ("bot", "{} builtin:random --game virus --param size=4 --max-games 2 --workers 1"),
    ],
    "ladder": [("bot", "virus {} --param size=4 --max-games 2 --workers 1")],
    "compare": [
        ("bot", "virus {} builtin:random --games 2 --param size=4 --move-seconds 0.01"),
    ],
    "strength": [
        ("bot", "virus {} builtin:random --minutes 0.01 --seconds 0.01 --param size=4"),
    ],
    "learn": [("learning", "virus --games 20 --seconds 0 --resume -o weights.npz")],
    "exploit": [("bot", "love-letter {} --pairs 1 --test 1 --seconds 0.001")],
    "records": [("contest", "{}")],
    "contest run": [("contest", "{}")],
    "contest show": [("contest", "{}")],
    "contest plan": [("contest", "{}")],
    "contest standings": [("contest", "{}")],
    "contest seal": [("contest", "{}")],
    "contest draw": [("contest", "{} 12345")],
    "contest annul": [("contest", "{} 00 --why because")],
    "contest withdraw": [("contest", "{} nobody --why because")],
    "contest disqualify": [("contest", "{} nobody --why because")],
    "contest reinstate": [("contest", "{} nobody --why because")],
    "contest audit": [("contest", "{}")],
    "serve": [("data", "--port 0 --data {} @results")],
    "plot": [("contest", "{} rating --svg @out"), ("bot", "{} rating --svg @out")],
    "replay": [("record", "{}"), ("record", "{} --html @out"), ("bot", "@record --bot {}")],
    "explain": [("record", "{}@1"), ("record", "{}")],
    "debug": [("record", "{}@1 @bot"), ("bot", "@record@1 {}")],
    "profile": [
        ("bot", "{} --game virus --param size=4 --positions 2"),
        ("record", "@bot {} --positions 2"),
    ],
    "watch": [],  # it goes on whatever its bot is
    "submit": [("bot", "{} http://127.0.0.1:9 --token none")],
    "mistakes": [("record", "{}"), ("results", "{} --by builtin:greedy")],
    "verify": [("record", "{}"), ("results", "{}")],
    "export": [
        ("record", "{} --format hx2"),
        ("contest", "{} --format csv -o @folder"),
        ("results", "{} --format jsonl -o @folder"),
        ("scale", "@contest --format grades --grades {} -o @folder"),
    ],
    "mcp": [],
    "completion": [],
    "doctor": [],
    "examples": [],
    "warm": [],
    "redteam": [],
}
# Command lines that write a file, at {}.
WRITES = {
    "map convert": ["@map --to xml -o {}"],
    "map new": ["vampires 5 5 3 -o {}"],
    "examples": ["{}"],
    "play": ["virus builtin:random builtin:random --param size=4 --plain --record {}"],
    "tron table": ["--map @room --games 1 --simulations 2 --forms numpy --svg {}"],
    "tron report": ["--map @room --games 1 --simulations 2 --svg {}"],
    "vampires serve": [
        "--map far --port 0 --plain --records {}",
        "--map far --port 0 --plain --trace {}",
    ],
    "new": ["{}"],
    "carry": ["virus builtin:greedy {}"],
    "match": ["virus builtin:random builtin:greedy --games 2 --param size=4 --records {}"],
    "compare": [
        "virus builtin:random builtin:greedy --games 2 --param size=4 --move-seconds 0.01 --plot {}"
    ],
    "strength": ["virus builtin:random builtin:greedy --minutes 0.01 --param size=4 --folder {}"],
    "learn": ["virus --rounds 1 --games 20 --simulations 8 --seconds 0.1 -o {}"],
    "exploit": ["love-letter builtin:random --pairs 1 --test 1 --seconds 0.001 -o {}"],
    "contest run": ["@fresh"],
    "serve": ["--port 0 --data {} @results"],
    "plot": ["@contest rating --svg {}"],
    "replay": ["@record --html {}"],
    "export": [
        "@record --format hx2 -o {}",
        "@contest --format html -o {}",
        "@contest --format page -o {}",
        "@contest --format parquet -o {}",
        "@results --format jsonl -o {}",
    ],
}
# Command lines that print; those that end by themselves, and soon.
PRINTS = {
    "games": "",
    "game check": "@game --seconds 0.1",
    "game playthrough": "@game",
    "map check": "@map",
    "map show": "@map",
    "contest show": "@contest",
    "contest plan": "@contest",
    "contest standings": "@contest --json",
    "contest audit": "@contest",
    "contest run": "@contest",
    "records": "@results",
    "replay": "@record",
    "verify": "@record",
    "explain": "@record@1",
    "export": "@record --format hx2",
    "match": "virus builtin:random builtin:greedy --games 2 --param size=4 --workers 1",
    "doctor": "",
    "serve": "--port 0 --data @folder",
}


def commands(command=None, path=()):
    """The names of all commands."""
    command = command or build()
    below = getattr(command, "commands", None)
    if not below:
        return [" ".join(path)]
    return [name for key, each in below.items() for name in commands(each, (*path, key))]


def test_no_command_is_forgotten():
    assert set(READS) == set(commands())
    assert WRITES.keys() <= READS.keys()
    assert PRINTS.keys() <= READS.keys()


@pytest.fixture(scope="module")
def right(tmp_path_factory):
    """Right files of each kind, by kind."""
    folder = tmp_path_factory.mktemp("right")
    (folder / "mine.py").write_text(BOT)
    (folder / "contest.toml").write_text(CONTEST)
    assert main(["contest", "run", str(folder / "contest.toml")]) == 0
    assert main(["map", "new", "vampires", "5", "5", "3", "-o", str(folder / "map.xml")]) == 0
    record = ["virus", "builtin:random", "builtin:greedy", *SMALL]
    assert main(["play", *record, "--plain", "--record", str(folder / "game.jsonl")]) == 0
    shutil.copy(TESTS / "games" / "pennies.py", folder / "pennies.py")
    (folder / "scale.toml").write_text("[grades]\n")
    (folder / "server.xml").write_text("<config></config>")
    (folder / "room.txt").write_text(ROOM)
    (folder / "empty").mkdir()
    (folder / "weights.npz.course").mkdir()
    (folder / "weights.npz.course" / "course.json").write_text('{"game": "virus"}')
    return {
        "bot": folder / "mine.py",
        "contest": folder / "contest.toml",
        "results": folder / "contest.results",
        "record": folder / "game.jsonl",
        "map": folder / "map.xml",
        "game": folder / "pennies.py",
        "scale": folder / "scale.toml",
        "config": folder / "server.xml",
        "program": Path(sys.executable),
        "room": folder / "room.txt",
        "folder": folder / "empty",
        "learning": folder / "weights.npz.course",
        "data": folder / "mine.py",
    }


def _missing(path, right):
    pass


def _folder(path, right):
    path.mkdir()


def _junk(path, right):
    path.write_bytes(bytes(range(256)) * 40)


def _empty(path, right):
    path.touch()


def _not_unicode(path, right):
    path.write_bytes(b"bots = ['\xff\xfe'] # \xe9\n" * 3)


def _truncated(path, right):
    if right.is_dir():
        shutil.copytree(right, path)
        for each in path.rglob("*"):
            if each.is_file():
                each.write_bytes(each.read_bytes()[: each.stat().st_size // 2])
    else:
        path.write_bytes(right.read_bytes()[: right.stat().st_size // 2])


def _loop(path, right):
    path.symlink_to(path)


SPOILED = [_missing, _folder, _junk, _not_unicode, _loop]
SPOILED += [pytest.param(each, marks=pytest.mark.thorough) for each in (_empty, _truncated)]
CASES = [(name, kind, line) for name, uses in READS.items() for kind, line in uses]


def filled(line, right, tmp_path, path):
    """The words of a command line."""
    places = {**right, "out": tmp_path / "out.svg", "folder": tmp_path / "written"}
    if "@fresh" in line:
        shutil.copy(right["bot"], path.parent)
        places["fresh"] = shutil.copy(right["contest"], path.parent)
    for name, place in places.items():
        line = line.replace(f"@{name}", str(place))
    return line.replace("{}", str(path)).split()


def answer(arguments, capfd):
    """The exit code; what was said has no traceback in it."""
    capfd.readouterr()
    code = main(arguments)
    words.speak("en")
    said = capfd.readouterr()
    assert "Traceback" not in said.out + said.err, said.err
    assert code in (0, 1, 2, 3)
    if code == 2:
        assert "joute: " in said.err
    if code and "fr" in arguments:
        assert not english_words(said.err), (arguments, said.err)
    return code


@pytest.mark.full
@pytest.mark.parametrize("spoil", SPOILED, ids=lambda each: each.__name__[1:])
def test_a_wrong_file_is_told_in_french_by_every_command_that_reads_one(
    right, tmp_path, monkeypatch, capfd, spoil
):
    for number, (name, kind, line) in enumerate(CASES):
        if name in ("serve", "learn") and spoil in (_missing, _folder):
            continue  # that is what they want: they would serve, or learn
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        path = folder / right[kind].name
        spoil(path, right[kind])
        arguments = filled(line, right, folder, path)
        code = answer(["--lang", "fr", *name.split(), *arguments], capfd)
        if spoil in (_missing, _loop) and kind != "folder":
            assert code in (1, 2), (name, arguments)


@pytest.mark.full
@pytest.mark.parametrize("how", ["full", "unwritable", "a folder", "below a file"])
def test_an_output_that_cannot_be_written_is_told_by_every_command_that_writes_one(
    right, tmp_path, monkeypatch, capfd, how
):
    monkeypatch.chdir(tmp_path)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    for number, (name, line) in enumerate(
        (name, line) for name, lines in WRITES.items() for line in lines
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = {"unwritable": Path("/proc/nowhere/out"), "below a file": folder / "file" / "out"}
        path = path.get(how, folder / "out.csv")
        (folder / "file").touch()
        if how == "a folder":
            path.mkdir()
            (path / "something").touch()
        elif "{}" not in line and how != "full":
            continue
        if name in SERVING and (how == "a folder" or (how == "full" and name != "serve")):
            continue  # a folder is what they want, and nothing is written yet: they would serve
        arguments = filled(line, right, folder, path)
        if how == "full":
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
        try:
            code = answer([*name.split(), *arguments], capfd)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        if how == "full":
            assert code == 3, (name, arguments)
        elif how != "a folder":
            assert code == 2, (name, arguments)
        assert not list(folder.rglob("*.partial"))


@pytest.mark.full
@pytest.mark.parametrize("stream", ["full", "broken"])
def test_what_cannot_be_printed_ends_every_command_without_a_traceback(
    right, tmp_path, monkeypatch, capfd, stream
):
    for number, (name, line) in enumerate(PRINTS.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        arguments = [*name.split(), *filled(line, right, folder, folder / "none")]
        capfd.readouterr()
        with monkeypatch.context() as patched, _stream(stream) as out:
            patched.setattr(sys, "stdout", out)
            code = main(arguments)
        said = capfd.readouterr()
        assert "Traceback" not in said.err
        assert code == (3 if stream == "full" else 0), (name, said.err)
        assert ("joute: " in said.err) == (stream == "full"), name


def _stream(kind):
    """A stream that nothing can be printed on."""
    if kind == "full":
        return Path("/dev/full").open("w", encoding="utf-8")
    reading, writing = os.pipe()
    os.close(reading)
    return os.fdopen(writing, "w", encoding="utf-8")
