"""The [build] table of a bot's `joute.toml`: the command that makes its program, and what plays."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from joute.host.toml import read_toml
from joute.i18n.words import Sentence, hinted

PRESENTATION = "joute.toml"
"""The file of a bot's folder that says who wrote it and how it is built."""
LARGEST = 4096  # characters of that file
TABLE = "build"
KEYS = ("command", "bot")
BOT = "./bot"  # what plays unless the table says otherwise
LONGEST_COMMAND = 1000  # characters


class BuildOrder(NamedTuple):
    """The build of a bot, as its author orders it."""

    command: str  # of a shell, in the folder of the sources
    bot: str  # the bot that is there then, as contests name one, from that folder


def order_of(table: object) -> BuildOrder:
    """Checks a [build] table. Raises ValueError, whose sentence names the key."""
    if not isinstance(table, Mapping):
        raise ValueError(Sentence("error.build.table"))
    for key in table:
        if key not in KEYS:
            near = get_close_matches(str(key), KEYS, n=1) or KEYS
            raise ValueError(
                hinted(Sentence("error.build.key", key=str(key)), list(map(repr, near)))
            )
    command, bot = table.get("command"), table.get("bot", BOT)
    for key, value in (("command", command), ("bot", bot)):
        if not _is_line(value):
            raise ValueError(Sentence("error.build.line", key=key, most=LONGEST_COMMAND))
    return BuildOrder(str(command), str(bot))


def read_order(path: Path) -> BuildOrder | None:
    """The build of a bot's folder or zip; None if it has none, or a file that cannot be read.

    Raises ValueError for a table that is wrong.
    """
    try:
        text = _text(path)
        table = read_toml(text).get(TABLE) if text and len(text) <= LARGEST else None
    except (OSError, ValueError, RuntimeError, NotImplementedError, zipfile.BadZipFile):
        return None  # who reads the file for its other keys says what is wrong with it
    return None if table is None else order_of(table)


def packed(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The files of a zip by their paths, which Windows may have written with backslashes."""
    named = ((each.filename.replace("\\", "/"), each) for each in archive.infolist())
    return {name: each for name, each in named if not name.endswith("/")}


def root_of(names: Iterable[str]) -> str:
    """The one folder of a zip, with its slash, if there is nothing else at its top; or ""."""
    tops = {name.partition("/")[0] if "/" in name else "" for name in names if not hidden(name)}
    return f"{tops.pop()}/" if len(tops) == 1 and "" not in tops else ""


def hidden(name: str) -> bool:
    """Whether a file, by its path in a bot, is no part of it.

    So are those of a part that begins with a point, compiled modules, what a Mac adds to archives,
    and the results of contests, which are written where the contest's file lies. Of packages that
    `cargo vendor` has put there nothing is: Cargo compares all their files with checksums.
    """
    parts = name.split("/")
    own = takewhile(lambda part: part != _VENDORED, name.removesuffix(_CARGO).split("/"))
    return any(part.startswith(".") for part in own) or any(
        part.endswith(".results") or part in _LEFT_OUT for part in parts
    )


_LEFT_OUT = ("__pycache__", "__MACOSX")
_CARGO = ".cargo/config.toml"  # tells Cargo where the packages are
_VENDORED = "vendor"  # the folder that they are in


def _text(path: Path) -> str:
    """The text of the bot's own file, one character longer than it may be at most."""
    if path.is_dir():
        own = path / PRESENTATION
        if not own.is_file():  # a pipe would be waited for
            return ""
        with own.open(encoding="utf-8-sig") as file:
            return file.read(LARGEST + 1)
    with zipfile.ZipFile(path) as archive:
        entries = packed(archive)
        entry = entries.get(root_of(entries) + PRESENTATION)
        if entry is None:
            return ""
        with archive.open(entry) as file:
            return file.read(4 * LARGEST + 1).decode("utf-8-sig")


def _is_line(value: object) -> bool:
    return (
        isinstance(value, str)
        and bool(value.strip())
        and len(value) <= LONGEST_COMMAND
        and value.isprintable()
    )
