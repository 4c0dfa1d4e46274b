"""The files of a bot as they lie there, read without running any of them.

A folder or a zip is a submission with all that is in it. A single file is read together with what
it imports from its folder; so is the first file that a program's command names. What is read is
bounded: nobody knows yet what it is.
"""

from __future__ import annotations

import ast
import lzma
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import IO, NamedTuple

from joute.errors import Error
from joute.host.building.order import hidden, packed, root_of
from joute.host.names import BotSpec
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence

PYTHON = ".py"
LARGEST_FILE = 1 << 20  # bytes
MOST_FILES = 1000  # in Python
ZIP_ERRORS = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError, KeyError,
    ValueError, RuntimeError,
)  # fmt: skip
"""Raised by `zipfile` for an archive that is encrypted, cut short, packed in a way unknown here, or
contradicts itself."""
_OPENED_BY_NAME = ("import_module", "__import__")


class UnreadableError(Error, ValueError):
    """Something of a bot that cannot be read; `line` from 1 where it is known."""

    def __init__(self, reason: Sentence, line: int | None = None) -> None:
        self.line = line
        super().__init__(reason)


class Import(NamedTuple):
    """A module, or a name in one, that is imported in a line (from 1)."""

    name: str
    line: int


class BotFiles(NamedTuple):
    """A bot's files by their names below its root, with slashes."""

    names: list[str]  # all that lie there
    python: list[str]  # those in Python that are the bot's
    read: Callable[[str], bytes]  # raises UnreadableError

    def has(self, pattern: str) -> bool:
        """Whether there is a file of this name, in capitals or not; `*` is all but a slash."""
        wanted = pattern.lower().split("/")
        found = (name.lower().split("/") for name in self.names)
        return any(
            len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted)) for parts in found
        )


def files_of(bot: BotSpec) -> BotFiles | None:
    """The files of a bot; None if it has none that lie here. Raises UnreadableError."""
    if bot.kind in ("python", "sources") and bot.path is not None:
        if bot.path.is_dir():
            return _checked(_folder(bot.path))
        return _checked(_zip(bot.path) if bot.path.suffix == ".zip" else _file(bot.path))
    if bot.kind == "program" and bot.folder is not None:
        words = (bot.folder / word for word in bot.command)
        own = next((path for path in words if path.is_file() and bot.folder in path.parents), None)
        return None if own is None else _checked(_file(own))
    return None


def imports_of(code: bytes) -> list[Import]:
    """The imports of a file, as far as they are written plainly. Raises UnreadableError."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
        return list(_imports(tree))
    except SyntaxError as error:
        raise UnreadableError(foreign(error.msg), error.lineno) from None
    except (ValueError, RecursionError, MemoryError) as error:
        reason = foreign(error) if str(error) else Sentence("error.file.nested")
        raise UnreadableError(reason) from None


def _imports(tree: ast.AST) -> Iterator[Import]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Import(each.name, node.lineno) for each in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (Import(f"{node.module}.{each.name}", node.lineno) for each in node.names)
        elif isinstance(node, ast.Call) and node.args:
            function, first = node.func, node.args[0]
            called = getattr(function, "attr", getattr(function, "id", ""))
            if called in _OPENED_BY_NAME and isinstance(first, ast.Constant):
                yield Import(str(first.value), node.lineno)


def _folder(folder: Path) -> BotFiles:
    names = list(_below(folder))
    return BotFiles(names, _in_python(names), lambda name: _bounded((folder / name).open("rb")))


def _below(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and not hidden(name.as_posix()):
            yield name.as_posix()


def _in_python(names: list[str]) -> list[str]:
    return [name for name in names if name.endswith(PYTHON)]


def _zip(path: Path) -> BotFiles:
    """The files of a zip, below its one folder if there is nothing else at its top."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = packed(archive)
    except ZIP_ERRORS:
        raise UnreadableError(Sentence("error.file.zip")) from None
    root = root_of(entries)
    names = [name.removeprefix(root) for name in sorted(entries) if not hidden(name)]

    def read(name: str) -> bytes:
        try:
            with zipfile.ZipFile(path) as archive:
                return _bounded(archive.open(entries[root + name]))
        except UnreadableError:
            raise
        except ZIP_ERRORS as error:
            raise UnreadableError(foreign(error)) from None

    return BotFiles(names, _in_python(names), read)


def _file(path: Path) -> BotFiles:
    """A file, those of its folder that it imports, and the names of what lies beside."""
    folder = path.parent

    def read(name: str) -> bytes:
        return _bounded((folder / name).open("rb"))

    python: list[str] = []
    waiting = [path.name] if path.suffix == PYTHON else []
    while waiting and len(python) <= MOST_FILES:
        name = waiting.pop()
        if name not in python:
            python.append(name)
            waiting += _imported_here(read(name), folder)
    beside = sorted(each.name for each in folder.iterdir() if each.is_file())
    return BotFiles(beside, python, read)


def _imported_here(code: bytes, folder: Path) -> Iterator[str]:
    """The files of a folder that some code of it imports; a package with all its files."""
    try:
        imported = imports_of(code)
    except UnreadableError:
        return
    for top in {each.name.partition(".")[0] for each in imported}:
        if _is_file(folder / f"{top}{PYTHON}"):
            yield f"{top}{PYTHON}"
        elif _is_file(folder / top / f"__init__{PYTHON}"):
            yield from (f"{top}/{name}" for name in _in_python(list(_below(folder / top))))


def _is_file(path: Path) -> bool:
    """Whether there is a file of that name, which may be none that a file can have."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _bounded(file: IO[bytes]) -> bytes:
    with file:
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise UnreadableError(Sentence("error.file.large", most=LARGEST_FILE >> 20))
    return content


def _checked(files: BotFiles) -> BotFiles:
    if len(files.python) > MOST_FILES:
        raise UnreadableError(Sentence("error.file.many", most=MOST_FILES))
    return files
