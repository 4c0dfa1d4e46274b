"""The commands of the documents run, for a moment, in a folder that has the files they name.

Those of the tutorials run elsewhere, as they are. Here numbers of games and times are cut, and what
a document leaves open (an identity, a seal) is filled in. The French documents show the same
commands, which `test_shown.py` compares.
"""

import contextlib
import io
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from documents.shown import SHEETS, blocks, commands, shown
from documents.test_tutorials import Shell

from joute.cli.main import main

pytestmark = [
    pytest.mark.full,
    pytest.mark.game("love-letter", "paradise", "tron", "vampires", "virus"),
]

ELSEWHERE = {
    "--dask": "needs a cluster: tests/contest/test_dask.py",
    "--store": "needs a database server: tests/store",
    "--lan": "asks for a password: tests/web",
    "--public": "asks for a password: tests/web",
    "submit": "needs a server: tests/web/test_submissions.py",
    "exploit": "takes minutes: tests/learn",
    "learn": "takes minutes: tests/learn",
    "redteam": "takes minutes: tests/redteam",
    "paradise/contest.toml": "takes minutes: tests/games/paradise/test_example.py",
    "paradise/packages.toml": "takes minutes: tests/games/paradise/test_packages.py",
    "vampires/contest.toml": "takes minutes: tests/games/vampires",
    "MODULE": "a form of the command: tests/games/paradise/test_duels.py",
    "'tcp:": "needs a program: tests/games/vampires",
    "'llm:": "needs a server: tests/play/test_language_model.py",
    "crowd": "compiles for a minute: tests/games/tron",
    "watch": "goes on until it is stopped: tests/cli/test_watch.py",
    "vampires serve": "serves until it is stopped: tests/games/vampires",
    "vampires client": "needs a server: tests/games/vampires",
    "my_nim": "tests/library/test_games_from_outside.py",
    "my-nim": "tests/library/test_games_from_outside.py",
    "pig.py": "tests/library/test_games_from_outside.py",
    "--live": "needs a terminal: tests/play",
    "report": "takes minutes: tests/games/tron",
}
"""Words of commands that do not run here, and why, or where they do."""
SHORTER = (
    (r"--games \d+", "--games 4"),
    (r"--move-seconds [\d.]+", "--move-seconds 0.05"),
    (r"(?<=\W)seconds=[\d.]+", "seconds=0.01"),
    (r"--cap \d+", "--cap 60 --simulations 1"),
    (r"solo --bot builtin:champion(?= )", "solo --bot 'builtin:champion?seconds=0.01'"),
    (r"simulations=\d+", "simulations=20"),
    (r"nodes=\d+", "nodes=50"),
    (r"--sprt (\S+)", r"--sprt \1 --max-games 4"),
    (r"promote (\S+) (\S+)", r"promote \1 \2 --max-games 4"),
    (r"ladder (\S+) (\S+)(?!.*--max-games)", r"ladder \1 \2 --max-games 4"),
    (r"--max-games \d+", "--max-games 4"),
    (r"--rungs \S+", "--rungs bots"),
    (r"mistakes (?!.*--by)", "mistakes --by 'builtin:alphabeta?nodes=50' "),
    (r"compare (?!.*--games)", "compare --games 2 "),
    (r"compare ", "compare --move-seconds 0.05 "),
    (r"( --map \S+)( --map \S+)+", r"\1"),
    (r"--at \d+", "--at 2"),
    (r"\bFILE\b", "cup.toml"),
    (r"\.jsonl@\d+", ".jsonl@2"),
)
BOT = """
def play(observation, clock):
    return observation["legal"][0]
"""
CUP = """
[contest]
games = 2
[game]
name = "virus"
size = 4
[[bots]]
bot = "mine.py"
[[bots]]
bot = "builtin:greedy"
[[bots]]
bot = "builtin:random"
"""


def here(line):
    """Whether a command line runs in this test, rather than elsewhere."""
    return not any(re.search(rf"(^|[ /.]){re.escape(word)}", line) for word in ELSEWHERE)


def lines_of(name):
    """The command lines of a document that run here, block by block."""
    found = []
    for kind, text in blocks(shown("en", name)):
        lines = [each for each in commands(text) if each[0] == "joute"] if kind == "" else []
        lines = [each[1:] for each in lines if here(shlex.join(each[1:]))]
        found += [lines] if lines else []
    return found


WITH_COMMANDS = [name for name in SHEETS if lines_of(name)]


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    """A folder with bots, a contest that was sealed and played, and one of its games."""
    folder = tmp_path_factory.mktemp("stage")
    for name in ("mine", "my_bot", "new", "old", "before"):
        (folder / f"{name}.py").write_text(BOT, "utf-8")
    (folder / "bots").mkdir()
    (folder / "bots" / "other.py").write_text(BOT, "utf-8")
    (folder / "cup.toml").write_text(CUP, "utf-8")
    [marks] = [text for kind, text in blocks(shown("en", "exports.md")) if kind == "toml"]
    (folder / "marks.toml").write_text(marks, "utf-8")
    (folder / "vampires.records" / "live").mkdir(parents=True)
    with contextlib.chdir(folder):
        assert main(["contest", "seal", "cup.toml"]) == 0
        assert main(["contest", "draw", "cup.toml", "--value", "dice 4 2 6 1"]) == 0
        assert main(["contest", "run", "cup.toml", "--trust-bots"]) == 0
        assert main(["export", "cup.results", "--format", "jsonl", "--out", "games"]) == 0
        shutil.copytree("cup.results", "class.results")
        shutil.copytree("cup.results", "results/cup.results")
        shutil.copy("cup.toml", "class.toml")
        shutil.copy(next(Path("games").rglob("*.jsonl")), "game.jsonl")
    return folder


@pytest.fixture
def shell(stage, tmp_path, monkeypatch, capfd):
    """A shell in a copy of the stage, with nobody at the keyboard."""
    folder = tmp_path / "stage"
    shutil.copytree(stage, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / ".data"))
    monkeypatch.setenv("JOUTE_LANG", "en")
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    return Shell(folder, "en", lambda: "".join(capfd.readouterr()))


def filled(line, seal, game):
    """A command line that takes a moment, with what its document leaves open."""
    for long, short in SHORTER:
        line = re.sub(long, short, line)
    line = re.sub(r"GCJW(-\w{4}){3}", seal, line)
    return re.sub(r"1d649c17|0c5b\.\.\.e1|IDENTITY", game, line)


def codes(words):
    """The exit codes that a command may end with: nobody plays, and a test may be undecided."""
    if words[0] == "play":
        return {0, 3}
    return {0, 1} if words[0] in ("promote", "ladder") or "--sprt" in words else {0}


@pytest.mark.parametrize("name", WITH_COMMANDS)
def test_the_commands_of_a_document_run(name, shell):
    _, told = shell.run("joute contest seal cup.toml")
    seal = re.search(r"\w{4}(-\w{4}){3}", told)[0]
    game = next(Path("games").rglob("*.jsonl")).stem
    for block in lines_of(name):
        if block[0][:2] in (["contest", "seal"], ["contest", "draw"]):
            shutil.rmtree("cup.results")
            shell.run("joute contest seal cup.toml")
        for words in block:
            kept = next(Path().glob("*/records/*.jsonl"), Path(game))  # of `match`
            line = filled(shlex.join(["joute", *words]), seal, kept.stem)
            if words[:2] == ["contest", "run"]:
                line += " --trust-bots"
            code, output = shell.run(line)
            assert code in codes(words), f"{line}\n{output}"
