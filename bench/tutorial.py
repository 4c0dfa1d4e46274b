"""A tutorial as a person goes through it: what is read, what is typed, which commands run.

A block of code is a file, named by the last file name in the words before it, or a console, whose
lines that begin with `$` are typed and whose other lines are read.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

READ = 200.0  # words a minute
TYPED = 40.0  # words a minute
WORD = 5  # characters of a typed word, as typing is usually measured; an editor indents by itself
_BLOCK = re.compile(r"```(\w*)\n(.*?)```", re.DOTALL)
_FILE = re.compile(r"`([\w-]+\.(?:py|toml))`")
_EXPECTED = re.compile(r"#\s*exit code (\d+)")


class TutorialStep(NamedTuple):
    """The words before a file that is written, or a command that is run, and one of these."""

    read: int  # words
    typed: int  # characters
    file: str = ""
    content: str = ""
    command: str = ""
    code: int = 0  # the exit code that the page names


def steps(page: str) -> Iterator[TutorialStep]:
    """The steps of a page in Markdown, in their order."""
    at, named = 0, ""
    for block in _BLOCK.finditer(page):
        before = page[at : block.start()]
        at = block.end()
        if found := _FILE.findall(before):
            named = found[-1]
        words = len(before.split())
        if block[1] == "console":
            for command, output in _console(block[2]):
                expected = _EXPECTED.search(command)
                code = int(expected[1]) if expected else 0
                typed = command.partition("#")[0].strip()
                yield TutorialStep(words, len(typed), command=typed, code=code)
                words = len(output.split())
            yield TutorialStep(words, 0)
        else:
            typed = sum(len(line.strip()) + 1 for line in block[2].splitlines())
            yield TutorialStep(words, typed, named, block[2])


def _console(block: str) -> Iterator[tuple[str, str]]:
    """Each command, and what it prints."""
    for part in block.split("$ ")[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def until(page: Path, command: str, which: int = 1) -> list[TutorialStep]:
    """The steps of a page up to a command that begins so, for the `which`-th time.

    Raises ValueError if the page has no such command.
    """
    found = []
    for step in steps(page.read_text(encoding="utf-8")):
        found.append(step)
        which -= step.command.startswith(command)
        if which == 0:
            return found
    raise ValueError(f"{page}: no command {command!r}")


def person_seconds(steps: list[TutorialStep]) -> float:
    """The seconds that reading and typing take."""
    read = sum(step.read for step in steps) / READ
    typed = sum(step.typed for step in steps) / WORD / TYPED
    return 60 * (read + typed)
