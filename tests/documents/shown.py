"""The code that documents show: their blocks, and the commands in these and between backticks."""

import ast
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docs.site.build import DOCS, pages

GENERATED = {"api.md", "commands.md", "contest-keys.md"}
"""Documents made by `scripts/reference`, whose own tests compare them with the program."""
SHEETS = [each for each in pages("en") if each not in GENERATED and "/" not in each]
"""The documents that people write, but for the tutorials, whose commands run."""
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`]+)`")
PROGRAMS = ("joute", "scripts/", "python3", "pip", "curl", "cp", "sqlite3", "systemd-run", "dask")
"""Beginnings of lines that are commands, in blocks of no language."""
COMMENT = re.compile(r"(?:^|\s+)#.*$", re.MULTILINE)
WORDED = "words"
"""Stands for a text of several words, which people say in their own language."""


def blocks(path: Path) -> list[tuple[str, str]]:
    """The blocks of a document, as pairs of language and text."""
    return BLOCK.findall(path.read_text("utf-8"))


def commands(text: str) -> Iterator[list[str]]:
    """The words of each command line in a block of no language; without comments."""
    for line in text.replace("\\\n", " ").splitlines():
        if line.startswith(PROGRAMS):
            yield shlex.split(line, comments=True)


def spoken(path: Path) -> Iterator[tuple[list[str], bool]]:
    """The words of each command line of Joute in a document, and whether it is one of a block.

    Those in the text may leave out what the command needs: they name it only.
    """
    for kind, block in blocks(path):
        if kind == "":
            yield from ((each, True) for each in commands(block) if each[0] == "joute")
    for span in SPAN.findall(BLOCK.sub("", path.read_text("utf-8"))):
        line = " ".join(span.split())
        if line.startswith("joute "):
            yield shlex.split(line), False


def essence(kind: str, text: str) -> Any:
    """A block without what differs between languages: comments, docstrings, texts of words."""
    if kind in ("python", "py"):
        return _python(text)
    if kind == "toml":
        return _plain(tomllib.loads(text))
    if kind == "":
        return [_plain(command) for command in commands(text)]
    return COMMENT.sub("", text) if kind in ("sh", "xml", "yaml") else None


def _python(text: str) -> str:
    """The syntax of a program of Python."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = _plain(node.value)
        elif isinstance(node, ast.JoinedStr):
            node.values = [each for each in node.values if isinstance(each, ast.FormattedValue)]
    return ast.dump(tree)


def _plain(value: Any) -> Any:
    """Plain data with the same words for each text of words."""
    if isinstance(value, str):
        return WORDED if " " in value.strip() else value
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


def shown(language: str, name: str) -> Path:
    """The file of a document."""
    return DOCS / language / name
