"""The tutorials do what they say: their files are written, their commands run, in each language.

How a tutorial is written, so that it can be run:

- A block ``python``, ``toml`` or ``markdown`` is a file. The line above it ends with the file's
  name between backticks and a colon: "Write `my_bot.py`:". A later block replaces the file.
- In a block ``console`` a line that begins with ``$`` and a space is run, in the folder where the
  command before left off (``cd`` is understood). The other lines are what it prints: each must be
  among the lines printed, in that order, where numbers may differ and ``...`` stands for anything.
- A comment that ends with a digit is the exit code that is expected: ``# exit code 1``. Without one
  it is 0, or 3 of ``joute play``, which finds nobody at the keyboard. ``joute serve`` is stopped as
  soon as it says its address.
- Other blocks, as ``text``, are only read.
"""

import io
import os
import re
import runpy
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import joute
from joute.cli.main import main
from joute.i18n import words

DOCUMENTS = Path(__file__).parents[2] / "docs"
TUTORIALS = sorted(DOCUMENTS.glob("*/tutorials/*.md"))
FILES = ("python", "toml", "markdown")
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"`([\w.-]+(?:/[\w.-]+)*)`[^`\n]*:\s*\Z")
CODE = re.compile(r"#.*\b(\d)$")
NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
pytestmark = [pytest.mark.full, pytest.mark.game("virus")]


class Block(NamedTuple):
    """A block of code: its language, its text, and the file that the line above names."""

    kind: str
    text: str
    name: str | None


class Command(NamedTuple):
    """A command line and the lines that it is said to print."""

    line: str
    printed: list[str]


def blocks_of(text: str) -> Iterator[Block]:
    """The blocks of a document, in order."""
    end = 0
    for each in BLOCK.finditer(text):
        named = NAMED.search(text[end : each.start()])
        yield Block(each[1], each[2], named[1] if named else None)
        end = each.end()


def commands_of(block: str) -> list[Command]:
    """The commands of a block ``console``."""
    found: list[Command] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append(Command(line[2:], []))
        elif line.strip() not in ("", "..."):
            found[-1].printed.append(line)
    return found


def stable(line: str) -> str:
    """A line without what may differ: numbers, and the widths of columns."""
    return re.sub(r"[\s+]+|─+", " ", NUMBER.sub("0", line)).strip()


def missing(printed: list[str], output: str) -> list[str]:
    """The lines that are said to be printed and were not, in their order."""
    lines = iter([stable(line) for line in output.splitlines()])
    return [line for line in printed if stable(line) not in lines]


class Shell:
    """Runs the commands of a tutorial, in this process, where kernels stay compiled."""

    def __init__(self, folder: Path, language: str, heard: Callable[[], str]) -> None:
        self.folder, self.language, self.heard = folder, language, heard

    def run(self, line: str) -> tuple[int, str]:
        """The exit code of a command line and what it printed."""
        arguments = shlex.split(line, comments=True)
        if arguments[0] == "cd":
            self.folder = self.folder / arguments[1]
            os.chdir(self.folder)
            return 0, ""
        if arguments[0] != "joute":
            return self.script(arguments[1]) if arguments[0] == "python" else self.apart(line)
        if arguments[1] == "serve":
            return self.served(arguments[1:])
        self.heard()
        code = main(arguments[1:])
        words.speak("en")
        return code, self.heard()

    def script(self, name: str) -> tuple[int, str]:
        """Runs a script of Python."""
        self.heard()
        runpy.run_path(name, run_name="__main__")
        return 0, self.heard()

    def apart(self, line: str) -> tuple[int, str]:
        """Runs something else, as `cat`."""
        done = subprocess.run(
            shlex.split(line),
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        return done.returncode, done.stdout

    def served(self, arguments: list[str]) -> tuple[int, str]:
        """Starts the web application on a free port, and stops it when it says its address."""
        command = [sys.executable, "-u", "-m", "joute", *arguments, "--port", "0"]
        with subprocess.Popen(
            command,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": str(Path(joute.__file__).parents[1])},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        ) as server:
            assert server.stdout is not None
            heard = next(line for line in server.stdout if "http://" in line)
            server.send_signal(signal.SIGINT)
            server.stdout.read()
        return 0, heard


def expected(command: str) -> set[int]:
    """The exit codes that a command may end with."""
    said = CODE.search(command)
    if said:
        return {int(said[1])}
    return {0, 3} if command.startswith("joute play ") else {0}


@pytest.fixture
def shell(tmp_path, monkeypatch, capfd) -> Callable[[str], Shell]:
    """Makes a shell in an empty folder, in a language, with nobody at the keyboard."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / ".data"))
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    def make(language: str) -> Shell:
        monkeypatch.setenv("JOUTE_LANG", language)
        return Shell(tmp_path, language, lambda: "".join(capfd.readouterr()))

    return make


@pytest.mark.parametrize("path", TUTORIALS, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_a_tutorial_does_what_it_says(path, shell):
    here = shell(path.parts[-3])
    for kind, text, name in blocks_of(path.read_text("utf-8")):
        if kind in FILES:
            assert name, f"no file is named before: {text}"
            (here.folder / name).write_text(text, encoding="utf-8")
        for command in commands_of(text) if kind == "console" else ():
            code, output = here.run(command.line)
            assert code in expected(command.line), f"{command.line}\n{output}"
            assert missing(command.printed, output) == [], f"{command.line}\n{output}"


def test_both_languages_have_the_same_tutorials():
    names = {
        language: sorted(path.name for path in TUTORIALS if path.parts[-3] == language)
        for language in words.LANGUAGES
    }
    assert names["en"] == names["fr"] != []


def test_a_line_that_is_not_printed_is_found():
    output = " 1   bot    12.5\n 2   greedy  3\n"
    assert missing(["1 bot 7", "2 greedy 9"], output) == []
    assert missing(["2 greedy 9", "1 bot 7"], output) == ["1 bot 7"]


def test_a_block_is_known_by_the_line_before_it():
    text = "Write `a.py`:\n\n```python\npass\n```\nThen:\n```console\n$ joute games\nvirus\n```\n"
    assert list(blocks_of(text)) == [
        Block("python", "pass\n", "a.py"),
        Block("console", "$ joute games\nvirus\n", None),
    ]
    assert commands_of("$ a\nb\n...\n$ c  # exit code 1\n") == [
        Command("a", ["b"]),
        Command("c  # exit code 1", []),
    ]
    assert expected("c  # exit code 1") == {1}
