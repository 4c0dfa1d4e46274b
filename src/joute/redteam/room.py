"""What attacks are aimed at: files, sockets and a process that are ours, made to be harmed.

All of it is of the user who runs it, so that nothing but isolation keeps an attack away. Secrets
are a mark and 16 hex digits; where one turns up, it was read.
"""

from __future__ import annotations

import array
import fcntl
import os
import platform
import secrets
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import joute
from joute.host.sandbox.call_numbers import NUMBERS
from joute.machine import Closing
from joute.redteam.doors import Doors
from joute.redteam.judge import Proof
from joute.redteam.leftovers import leftovers, remove
from joute.redteam.messages import FILE_MB, MEMORY_MB
from joute.redteam.sights import Sights
from joute.redteam.watch import state

MARK = "joute-secret-"

_MOST_MB = 3 * MEMORY_MB
_MOST_PROCESSES = 100
_READABLE = 0o400
_GET_FLAGS = 0x80086601


def secret() -> str:
    """A new secret."""
    return MARK + secrets.token_hex(8)


class Room(Closing):
    """One attack's surroundings; leaves nothing behind."""

    def __init__(self, cache: Path) -> None:
        """Furnishes the room.

        Args:
            cache: the folder of compiled kernels, which attacks must not write to.
        """
        self.folder = Path(tempfile.mkdtemp(prefix="joute-redteam-"))
        self.token = secrets.token_hex(8)
        self.own = self.folder / "bots" / "mine"
        """The attack's own folder, to be filled before `seal`."""
        self._other = self.folder / "bots" / "other"
        self._cache = cache
        written = self._furnish()
        self._sights = Sights(self.own.parent, self._other, MARK, secret)
        self.secrets = [*written, *self._sights.secrets]
        """What lies in the room's files, and what can be seen of them."""
        self._doors = Doors(self.folder, f"joute-{self.token}")
        self._decoy = subprocess.Popen(
            ["cat"],  # which ends with us at the latest
            stdin=subprocess.PIPE,
            start_new_session=True,
        )
        self.seal()

    def seal(self) -> None:
        """Remembers how everything is; what differs later is an attack's doing."""
        self._sealed = {path: _facts(path) for path in self._inside()}
        self._calm = state(self._decoy.pid)

    def aim(self) -> dict[str, Any]:
        """All that an attacker could dream of knowing."""
        return {
            **self._doors.addresses,
            "mark": MARK,
            "token": self.token,
            "own_folder": str(self.own),
            "other_folder": str(self._other),
            "other_bot": str(self._other / "bot.py"),
            "stamped": str(self._sights.stamped),
            "other_file": str(self._other / "weights.txt"),
            "neighbour": str(self.own.parent / "neighbour.py"),
            "database": str(self.folder / "contest" / "joute.sqlite"),
            "notes": str(self.folder / "notes.txt"),
            "home": str(Path.home()),
            "tmp": tempfile.gettempdir(),
            "package": str(Path(joute.__file__).parent),
            "cache": str(self._cache),
            "decoy": self._decoy.pid,
            "memory_mb": MEMORY_MB,
            "file_mb": FILE_MB,
            "most_mb": _MOST_MB,
            "most_processes": _MOST_PROCESSES,
            "numbers": NUMBERS.get(platform.machine(), {}),
        }

    def guarded(self) -> list[str]:
        """The folders in which an attack may write nothing, besides those of the room."""
        library = Path(os.__file__).parent
        ours = (Path.home(), Path(joute.__file__).parent, self._cache, library)
        return [str(folder) for folder in (*ours, Path("/etc"), Path("/usr/local"), self.folder)]

    def traces(self) -> list[Proof]:
        """What an attack has done to the room and around it."""
        now = state(self._decoy.pid)
        harmed = [name for name, value in now.items() if self._calm.get(name) != value]
        return [
            *self._changes(),
            *(Proof("left", what) for what in leftovers(self.token)),
            *(Proof("called", name) for name in self._doors.calls()),
            *(Proof("harmed", name) for name in harmed),
        ]

    def close(self) -> list[Proof]:
        """Ends the decoy and removes every trace; gives those that only this finds.

        Done twice, the second does nothing.
        """
        if not self.folder.exists():
            return []
        self._decoy.kill()
        self._decoy.communicate()
        self._doors.close()
        self._sights.close()
        found = remove(self.token)
        self._other.chmod(0o700)
        shutil.rmtree(self.folder)
        return [Proof("left", what) for what in found]

    def _furnish(self) -> list[str]:
        """Makes the files, and gives the secrets in them."""
        for folder in (self.own, self._other, self.folder / "contest"):
            folder.mkdir(parents=True)
        bot, beside, notes, row = (secret() for _ in range(4))
        (self._other / "bot.py").write_text(f"# {bot}\n", encoding="ascii")
        (self._other / "weights.txt").write_text(f"{bot}\n", encoding="ascii")
        (self.own.parent / "neighbour.py").write_text(f"# {beside}\n", encoding="ascii")
        (self.folder / "notes.txt").write_text(f"{notes}\n", encoding="ascii")
        with closing(sqlite3.connect(self.folder / "contest" / "joute.sqlite")) as base, base:
            base.execute("create table games (seed text)")
            base.execute("insert into games values (?)", (row,))
        return [bot, beside, notes, row]

    def _inside(self) -> list[Path]:
        return [path for path in self.folder.rglob("*") if not path.is_socket()]

    def _changes(self) -> Iterator[Proof]:
        """What became of the room's files."""
        for path, facts in self._sealed.items():
            if not os.path.lexists(path):
                yield Proof("gone", path.name)
            elif _facts(path) != facts:
                yield Proof("spoilt", path.name)
        for path in self._inside():
            if path not in self._sealed:
                yield Proof("made", path.name)


def _facts(path: Path) -> tuple[object, ...]:
    """What nobody else may change about a file or a folder."""
    found = path.lstat()
    rights = (found.st_mode, found.st_uid)
    if not path.is_file() or path.is_symlink():
        return rights
    inside = path.read_bytes() if found.st_mode & _READABLE else b""
    return (*rights, found.st_nlink, found.st_mtime_ns, inside, _flags(path), *os.listxattr(path))


def _flags(path: Path) -> int:
    """What the file system keeps of a file besides its rights; 0 where it keeps nothing."""
    flags = array.array("l", [0])
    with suppress(OSError), path.open("rb") as file:
        fcntl.ioctl(file, _GET_FLAGS, flags)
    return flags[0]
