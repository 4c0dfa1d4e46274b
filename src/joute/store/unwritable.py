"""An SQLite database that we may read and not write, as that of a folder shared with readers.

SQLite keeps a log and an index of it beside a database that several processes use, and makes them
to read it too. Where we cannot make them, and there is no log, the file holds all there is and is
read as it is, until somebody writes. Where there is a log, whoever writes, or wrote until killed,
has left the index too.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from sqlalchemy.exc import DatabaseError

from joute import machine
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.store.model import ForbiddenError, StoreError

T = TypeVar("T")


def only_read(path: Path) -> bool:
    """Whether there is such a file, and we may not write it or make files beside it."""
    target = path.resolve()
    if not os.path.isfile(target):  # noqa: PTH113, which is no error in a folder that is closed
        return False
    return not (os.access(target, os.W_OK) and os.access(target.parent, os.W_OK))


class Unwritable:
    """A file of a database that we may not write."""

    def __init__(self, path: Path) -> None:
        self._path = path.resolve()
        self._seen = self._state()

    def connect(self, wait_seconds: float) -> sqlite3.Connection:
        """A new connection; `wait_seconds` is how long it waits for whoever writes."""
        options = "mode=ro" if self.logged() else "mode=ro&immutable=1"
        uri = f"{self._path.as_uri()}?{options}"
        return sqlite3.connect(uri, wait_seconds, check_same_thread=False, uri=True)

    def undisturbed(self, once: Callable[[], T], let_go: Callable[[], object]) -> T:
        """The return value of `once`, done again where the file was written meanwhile.

        `let_go` gives up the connections, which read the file as it was.
        """
        while True:
            before = self._state()
            if before != self._seen:
                let_go()
                self._seen = before
            try:
                done = once()
            except DatabaseError:
                if self._state() == before:
                    raise
            else:
                if self._state() == before:
                    return done

    def _state(self) -> tuple[int, int, int] | None:
        """Facts that change as soon as somebody writes; None while there is a log."""
        if self.logged():
            return None
        try:
            found = self._path.stat()
        except OSError:
            return (0, 0, 0)
        return found.st_ino, found.st_mtime_ns, found.st_size

    def logged(self) -> bool:
        """Whether something stands in the log."""
        with suppress(OSError):
            return self._path.with_name(f"{self._path.name}-wal").stat().st_size > 0
        return False

    def refusal(self, name: str) -> StoreError:
        """The reason why the database `name` cannot be written."""
        with suppress(OSError):
            if os.statvfs(self._path).f_flag & os.ST_RDONLY:
                return StoreError(_unwritable(name, errno.EROFS), machine.READ_ONLY)
        return ForbiddenError(_unwritable(name, errno.EACCES))


def _unwritable(name: str, number: int) -> Sentence:
    reason = foreign(os.strerror(number))
    return Sentence("error.store.unwritable", store=name, reason=reason)
