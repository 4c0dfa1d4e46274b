"""Where a program is to connect: any port of this machine, or the one that stands in its source.

Programs written for the official server often have its port in their source, so that only one game
of such programs can be set up at a time, on the whole machine.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from joute.host.names import BotSpec

FIXED = 5555
"""The official server's port."""
LOOPBACK = "127.0.0.1"
_MOST_FILES = 200  # of a program's folder
_MOST_BYTES = 1 << 20  # of a file: a source is shorter
_mine = threading.local()


def fixed_port(bot: BotSpec) -> bool:
    """Whether the official port stands in a program's own files.

    Looked at are the files that its command names, and those beside them or below: of the folder
    that the command starts from, only those of the same kind directly in it, for other programs
    may lie there too.
    """
    mark = str(FIXED).encode()
    return any(mark in _content(file) for file in _files(bot))


def _files(bot: BotSpec) -> Iterator[Path]:
    folder = (bot.folder or Path()).resolve()
    for word in bot.command:
        file = folder / word
        if not file.is_file() or folder not in file.resolve().parents:
            continue
        yield file
        around = file.resolve().parent
        beside = around.glob(f"*{file.suffix}") if around == folder else around.rglob("*")
        for number, other in enumerate(beside):
            if number < _MOST_FILES and other != file and other.is_file():
                yield other


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
            # Everybody's, so that games of several users wait for each other.
            _mine.file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
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
