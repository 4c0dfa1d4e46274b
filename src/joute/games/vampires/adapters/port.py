"""Where a program is to connect: any port of this machine, or the one that stands in its source.

Programs written for the official server often have its port in their source, so that only one game
of such programs can be set up at a time, on the whole machine.
"""

from __future__ import annotations

import fcntl
import os
import re
import tempfile
import threading
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from joute.host.names import BotSpec

FIXED = 5555
"""The official server's port."""
LOOPBACK = "127.0.0.1"
_MOST_FILES = 200  # of a program
_MOST_BYTES = 1 << 20  # of a file: a source is shorter
_IMPORT = re.compile(rb"^[ \t]*(?:from|import)[ \t]+([\w.]+(?:[ \t]*,[ \t]*[\w.]+)*)", re.MULTILINE)
_mine = threading.local()


def fixed_port(bot: BotSpec) -> bool:
    """Whether the official port stands in a program's command or in its own source.

    Looked at are the files that the command names and, of Python's, the modules beside them that
    they import.
    """
    mark = str(FIXED)
    if mark in bot.command:
        return True
    return any(mark.encode() in _content(file) for file in _files(bot))


def _files(bot: BotSpec) -> list[Path]:
    folder = bot.folder or Path()
    found: dict[Path, None] = {}
    for at, word in enumerate(bot.command):
        file = folder / word
        # A program of the system, an interpreter as a rule, is not the bot's own.
        if file.is_file() and (at > 0 or folder in file.parents):
            found[file] = None
    waiting = list(found)
    while waiting and len(found) < _MOST_FILES:
        for module in _imported(waiting.pop()):
            if module not in found:
                found[module] = None
                waiting.append(module)
    return list(found)


def _imported(file: Path) -> Iterator[Path]:
    """The modules that a Python file imports, those of them that lie beside it."""
    if file.suffix != ".py":
        return
    for line in _IMPORT.findall(_content(file)):
        for name in re.findall(rb"[\w.]+", line):
            first = name.decode().split(".")[0]
            if first and (module := file.parent / f"{first}.py").is_file():
                yield module
            elif first and (file.parent / first).is_dir():
                yield from islice((file.parent / first).rglob("*.py"), _MOST_FILES)


def _content(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(_MOST_BYTES)
    except OSError:
        return b""


class FixedPort:
    """The right to the official port, on this machine; the seats of a game share it.

    A game is played in one thread, which is how its seats know each other.
    """

    def __init__(self) -> None:
        """Waits until no other game has it."""
        if getattr(_mine, "count", 0) == 0:
            path = Path(tempfile.gettempdir()) / f"joute-port-{FIXED}.lock"
            try:
                # It may be another user's, whose games are waited for too.
                _mine.file = os.open(path, os.O_RDONLY)
            except FileNotFoundError:
                _mine.file = os.open(path, os.O_RDONLY | os.O_CREAT, 0o644)
            try:
                fcntl.flock(_mine.file, fcntl.LOCK_EX)
            except BaseException:
                os.close(_mine.file)
                raise
        _mine.count = getattr(_mine, "count", 0) + 1

    def close(self) -> None:
        """Give it back; to be called once."""
        _mine.count -= 1
        if _mine.count == 0:
            os.close(_mine.file)
