"""Records without the words of some bots, or without which files they are, for their readers.

A line from which something was left out names it (`withheld`) and keeps the hash of the whole line.
So the record ends with the hash that stands for the whole one, every other line is proved by its
hash as ever, and the game is played again by the rules; what no hash proves is the rest of a line
that lacks something.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from joute.play.record import WITHHELD, split_line

WORDS = ("message", "metrics", "marks", "note", "output")
"""The keys of a bot's words in a line, besides the detail of a fault."""
DETAIL = "detail"
_FOLDERS = re.compile(r"(?<![\w.~])/(?:[^/\s]+/)+|(?<![\w.~/])(?:\.\./)+(?:[^/\s]+/)*")
"""The folders of a path that is absolute, or leads out of the contest's folder."""
_BUILTIN = ("builtin:", "hosted:builtin:")


def without_folders(content: bytes) -> bytes:
    """A record that names no folder of this machine. Raises RecordError for what is no record."""
    return without_words(content, None)


def without_words(
    content: bytes, readable: Collection[str] | None, files: Collection[str] | None = None
) -> bytes:
    """A record with the words of the bots of these names alone, and without folders of the machine.

    With None it has all words. `files` are the names of the bots of which it has the path and the
    hash; None for all, and built-in bots are never without.

    Raises RecordError for what is no record.
    """
    names: Sequence[str] = ()
    found = []
    for number, line in enumerate(content.splitlines(), start=1):
        payload, chain = split_line(number, line)
        if number == 1:
            names = [str(bot["name"]) for bot in payload["bots"]]
            shown, kept = _header(payload, files)
        else:
            shown, kept = _reduced(payload, names, readable)
        if kept:
            shown[WITHHELD] = kept
            text = msgspec.json.encode(shown)[:-1]
            found.append(text + b',"chain":"' + chain.encode() + b'"}')
        else:
            found.append(line)
    return b"\n".join(found) + b"\n"


def _reduced(
    line: dict[str, Any], names: Sequence[str], readable: Collection[str] | None
) -> tuple[dict[str, Any], list[str]]:
    """A line without words that are not for the reader, and the keys of what was left out."""
    player = line.get("player", -1)
    if readable is None or not 0 <= player < len(names) or names[player] in readable:
        return line, []
    kept = [key for key in (*WORDS, DETAIL) if line.get(key)]
    shown = {key: value for key, value in line.items() if key not in WORDS}
    return ({**shown, DETAIL: ""} if DETAIL in shown else shown), kept


def _header(
    header: dict[str, Any], files: Collection[str] | None
) -> tuple[dict[str, Any], list[str]]:
    """A header without what tells where the bots' files lie, and the keys of what was left out."""
    bots = [_bot(bot, files is None or str(bot["name"]) in files) for bot in header["bots"]]
    return {**header, "bots": bots}, [] if bots == header["bots"] else ["bots"]


def _bot(bot: dict[str, Any], known: bool) -> dict[str, Any]:
    path = str(bot["bot"])
    if known or path.startswith(_BUILTIN):
        return {**bot, "bot": _FOLDERS.sub("", path)}
    return {**bot, "bot": "", "content": ""}
