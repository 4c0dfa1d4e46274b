"""The names of bots that are given none."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

from joute.host.adapters import program_prefixes
from joute.host.names import LANGUAGE_MODEL, prefixes
from joute.text import composed

LONGEST_NAME = 60  # characters; standings are tables
# How Moodle names what is handed in: the folder, or the beginning of the file's name. Older ones
# end the folder's name with an underscore.
_HANDED_IN = re.compile(r"_(\d+)_assignsubmission_(file|onlinetext).*")
_SOURCES = (".py", ".jar", ".js", ".sh", ".exe")


def default_name(bot: str) -> str:
    """The name of a bot that was given none: its built-in name, or that of its file or folder.

    A language model has its own. Of what was handed in with Moodle it is the person's name.
    """
    return _shortened(_named_after(bot)) or "bot"


def default_names(bots: Sequence[str], base: Path) -> list[str]:
    """The names of bots that were given none; paths are relative to `base`.

    Of several files of one name, `alice/bot.py` and `bob/bot.py`, those of the nearest folders by
    which they differ. Other names may be there twice.
    """
    names = [default_name(bot) for bot in bots]
    for name, count in Counter(names).items():
        alike = [number for number, each in enumerate(names) if each == name]
        folders = [_folders(bots[number], base) for number in alike]
        for others in zip_longest(*folders, fillvalue=name):
            if len(set(others)) == count > 1:
                for number, other in zip(alike, others, strict=True):
                    names[number] = _shortened(other) or name
                break
    return names


def is_handed_in(path: str) -> bool:
    """Whether a file or folder is, or lies in, one that Moodle has made for a person."""
    return _HANDED_IN.search(path) is not None


def usual_names(bot: str, base: Path) -> set[str]:
    """The names without a number that a bot given none may have, in older versions too."""
    texts = [_named_after(bot), *_folders(bot, base)]
    older = (composed(_plain(text)[:LONGEST_NAME].strip()) for text in texts)
    return {default_name(bot), *map(_shortened, texts), *older}


def place_of(bot: str) -> str:
    """The word for a bot among others of its name: for what was handed in, or all that it is.

    Moodle puts what a student hands in again into a folder with the same number.
    """
    path = _parts(bot)[2]
    for part in reversed(path.parts if path else ()):
        if found := _HANDED_IN.search(part):
            return composed(part[: found.end(1)])
    return composed(bot)


def _named_after(bot: str) -> str:
    """The text that a bot is named after, as it is written."""
    kind, rest, path = _parts(bot)
    if kind == LANGUAGE_MODEL:
        return rest.partition("#")[2].partition("?")[0]
    if path is None:
        return rest
    handed_in = (part for part in reversed(path.parts) if _HANDED_IN.search(part))
    return next(handed_in, path.stem)


def _plain(text: str) -> str:
    """The name of a file or folder without what Moodle adds to it; it may be empty."""
    return _HANDED_IN.sub("", text)


def _shortened(text: str) -> str:
    """A text as the name of a bot: of one that is too long, the beginning and the end."""
    name = composed(_plain(text)).strip()
    if len(name) <= LONGEST_NAME:
        return name
    half = LONGEST_NAME // 2
    return f"{name[: half - 1].rstrip()}…{name[-half:].lstrip()}"


def _parts(bot: str) -> tuple[str, str, Path | None]:
    """The last prefix of a bot, what follows it, and the path that names it, if one does."""
    last = ""
    kind, colon, rest = bot.partition(":")
    while colon and kind in prefixes():
        last, bot = kind, rest
        if kind in ("builtin", LANGUAGE_MODEL):
            return last, bot, None
        kind, colon, rest = bot.partition(":")
    # Of `python3 mine.py` the second word says more; a path may hold spaces of its own.
    words = bot.split() if last in program_prefixes() else [bot]
    sources = [word for word in words if Path(word).suffix in _SOURCES]
    return last, bot, Path([*sources, *words][0]) if words else None


def _folders(bot: str, base: Path) -> list[str]:
    """The names of the folders that stand before a bot's file, the nearest first."""
    path = _parts(bot)[2] or Path()
    parents = Path(os.path.normpath(base.absolute() / path)).parents
    return [each.name for each in parents[: len(path.parts) - 1]]
