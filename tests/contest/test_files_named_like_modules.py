"""Bots lie in the current folder in files named like Python's modules: Joute executes none."""

import subprocess
import sys
from pathlib import Path

import pytest

BOT = "def play(observation, clock):\n    return observation['legal'][0]\n"
MARKER = "executed"
READ_MANY = """
import os
before = dict(os.environ)
from joute.contest.proof.facts import MANY, Readers
with Readers(2 * MANY, workers=2) as readers:
    read = list(readers.read((number, None) for number in range(2 * MANY)))
assert [number for number, _ in read] == list(range(2 * MANY))
assert dict(os.environ) == before
"""
PREPARE = """
from joute.core.registry import make
from joute.play.preparing import prepare, prepared
prepare(make("virus"), "builtin:greedy")
assert prepared(make("virus"), "builtin:greedy")
"""
ASK = """
import asyncio
from joute.cli.mcp_commands import run_command
code, told = asyncio.run(run_command(["games"]))
assert code == 0, told
"""
CONTEST = """
bots = ["bot.py", "hosted:builtin:greedy"]
[contest]
games = 2
[game]
name = "virus"
size = 4
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current folder; a file for each module says so if it is executed, and ends all."""
    told = tmp_path / MARKER
    for name in sys.stdlib_module_names:
        text = f"open({str(told)!r}, 'a').write({name!r})\nraise SystemExit({name!r})\n"
        (tmp_path / f"{name}.py").write_text(text)
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "cup.toml").write_text(CONTEST)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def execute(*words: str) -> None:
    done = subprocess.run([sys.executable, "-P", *words], capture_output=True, text=True)
    told = Path(MARKER)
    assert not told.exists(), told.read_text()
    assert done.returncode == 0, done.stderr + done.stdout


@pytest.mark.game("virus")
@pytest.mark.parametrize(
    "words",
    [
        ("match", "virus", "bot.py", "hosted:builtin:greedy", "--games", "2", "--param", "size=4"),
        ("contest", "run", "cup.toml"),
        ("check", "bot.py", "--game", "virus"),
    ],
    ids=["a match", "a contest", "a check"],
)
def test_commands_import_nothing_from_the_current_folder(folder, words):
    execute("-m", "joute", *words)


@pytest.mark.parametrize(
    "program", [READ_MANY, PREPARE, ASK], ids=["readers of records", "preparing", "an agent"]
)
def test_processes_of_the_library_import_nothing_from_the_current_folder(folder, program):
    execute("-c", program)


def test_every_process_of_joute_is_started_so():
    """A Python that executes a program of ours has -P, or -I, as its first option."""
    source = Path(__file__).parents[2] / "src" / "joute"
    found = [
        f"{path.relative_to(source)}: {line.strip()}"
        for path in source.rglob("*.py")
        for line in path.read_text().splitlines()
        if 'sys.executable, "-' in line and not any(safe in line for safe in ('"-P"', '"-I"'))
    ]
    # Attacks of the red team are bots, and run in a sandbox.
    assert [each for each in found if not each.startswith("redteam/attacks/")] == []
