"""Paths with a *: the bots that they stand for, and what they leave out.

What people hand in lies beside other files of theirs and of their systems. Those in which nobody
writes a program are left out; whatever else is no bot is refused, since to leave out somebody's
work in silence would be worse.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from glob import glob
from pathlib import Path
from typing import Any, NamedTuple

from joute.contest.config.default_names import is_handed_in
from joute.contest.config.reading import Reader, read_file
from joute.host.building.order import hidden
from joute.host.names import holds_bot, prefixes
from joute.i18n.words import Sentence

_DOCUMENTS = (".md", ".rst", ".txt", ".pdf", ".doc", ".docx", ".odt", ".html")
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".svg")
_DATA = (".json", ".csv", ".npy", ".npz", ".pt", ".pkl", ".log")
_OF_SYSTEMS = ("thumbs.db", "desktop.ini")
_ALONE = (".py", ".zip")  # ends of a file that is the bot of its folder, if there is no other
_SHOWN = 10  # files or folders of a line


class Matches(NamedTuple):
    """The paths that match a pattern, from the contest's folder on."""

    bots: list[str]
    left_out: list[str]  # files in which nobody writes a program
    together: dict[str, list[str]]  # bots by the folder that they lie in, where there are several


def spread(readers: list[Reader], tables: list[dict[str, Any]], base: Path) -> list[Reader]:
    """The bots with all that match a pattern, a path with a *, in its place.

    Nobody takes part twice: a bot that is given by its own path is none of a pattern's, nor is the
    folder that it lies in. Raises ConfigError for a pattern that nothing matches, for one with a
    name, and for one that makes several bots of what is one.
    """
    known = {base / str(table.get("bot")) for table in tables}
    found = list[Reader]()
    for reader, table in zip(readers, tables, strict=True):
        pattern = table.get("bot")
        if not isinstance(pattern, str) or not _is_pattern(pattern, base):
            found.append(reader)
            continue
        if "name" in table:
            raise reader.error("name", Sentence("error.config.pattern_name", pattern=pattern))
        matches = _matches(pattern, base)
        if not matches.bots:
            raise reader.error("bot", Sentence("error.config.pattern", pattern=pattern))
        _check_whole(reader, pattern, matches, base)
        given = {folder for bot in known for folder in bot.parents}
        for path in matches.bots:
            if base / path not in known and base / path not in given:
                known.add(base / path)
                found.append(Reader(reader.source, reader.path, {**table, "bot": path}))
    return found


def remarks(file: Path) -> Iterator[str]:
    """The sentences on what the patterns of a contest's file leave out or take from one folder.

    Raises ConfigError for a file that cannot be read.
    """
    base = file.resolve().parent
    for each in read_file(file)[1].get("bots", ()):
        pattern = each.get("bot") if isinstance(each, dict) else each
        if not isinstance(pattern, str) or not _is_pattern(pattern, base):
            continue
        matches = _matches(pattern, base)
        if matches.left_out:
            files = _some(matches.left_out)
            yield str(Sentence("contest.left_out", pattern=pattern, files=files))
        if matches.together:
            folders = _some([f"{name} ({_some(own)})" for name, own in matches.together.items()])
            yield str(Sentence("contest.together", pattern=pattern, folders=folders))


def _is_pattern(bot: str, base: Path) -> bool:
    """Whether a bot is a path with a * that is not part of a file's name."""
    if "*" not in bot or bot.partition(":")[0] in prefixes():
        return False
    return not os.path.exists(base / bot)  # noqa: PTH110 - Path.exists raises for a long name


def _matches(pattern: str, base: Path) -> Matches:
    found = glob(pattern, root_dir=base)  # noqa: PTH207 - Path.glob takes no absolute pattern
    paths = sorted(path for path in found if not hidden(Path(path).name))
    left_out = [path for path in paths if _is_no_program(base / path)]
    if len(left_out) == len(paths):  # it asks for them: they are refused, each with the reason
        left_out = []
    bots = [path for path in paths if path not in left_out]
    together = defaultdict[str, list[str]](list)
    if "*" in os.path.dirname(pattern):  # noqa: PTH120 - a pattern is no path
        for path in bots:
            folder, name = os.path.split(path)
            together[folder].append(name)
    several = {folder: names for folder, names in together.items() if len(names) > 1}
    return Matches([_alone(path, base) for path in bots], left_out, several)


def _is_no_program(path: Path) -> bool:
    """Whether nobody writes a program in a file, by its name."""
    endings = (*_DOCUMENTS, *_PICTURES, *_DATA)
    name = path.name.lower()
    return (name in _OF_SYSTEMS or name.endswith(endings)) and not path.is_dir()


def _alone(path: str, base: Path) -> str:
    """The one file of a folder that may be a bot, where the folder itself is none; else the path.

    People hand in a file under the name they like, and Moodle puts it into a folder.
    """
    folder = base / path
    if not folder.is_dir() or holds_bot(folder):
        return path
    inside = glob("*", root_dir=folder)  # noqa: PTH207 - of a folder that is not ours to read, none
    files = [name for name in inside if name.endswith(_ALONE) and not hidden(name)]
    return os.path.join(path, files[0]) if len(files) == 1 else path  # noqa: PTH118


def _check_whole(reader: Reader, pattern: str, matches: Matches, base: Path) -> None:
    """Raises ConfigError if several bots are made of a folder that is one, or one person's."""
    for folder, names in matches.together.items():
        if holds_bot(base / folder) or is_handed_in(folder):
            told = {"pattern": pattern, "folder": folder, "files": _some(names)}
            folders = os.path.dirname(pattern)  # noqa: PTH120 - a pattern is no path
            reason = Sentence("error.config.pattern_folder", **told, folders=folders)
            raise reader.error("bot", reason)


def _some(names: list[str]) -> str:
    more = ["…"] if len(names) > _SHOWN else []
    return ", ".join([*names[:_SHOWN], *more])
