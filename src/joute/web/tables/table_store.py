"""The tables and records of a server on disk: a bounded number of files, the oldest removed first.

A folder has a journal for each table whose game goes on, and `records` in it the records of games
that are over. Only their owner can read them: a journal holds the secrets of its people's seats.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from joute.files import put
from joute.play.record import RecordError
from joute.web.tables.journal import Journal, TableProgress, TableTerms, begun, read_journal

MOST_TABLES = 512  # on disk, those in memory among them
KEPT_SECONDS = 7 * 24 * 3600.0  # that a table is kept after something last happened at it
MOST_BYTES = 64 * 1024 * 1024  # of tables
MOST_RECORDS = 500
MOST_RECORD_BYTES = 64 * 1024 * 1024
JOURNAL, RECORD = ".table", ".jsonl"
RECORDS = "records"  # the folder of them
_NAME = re.compile(r"[A-Za-z0-9_-]{8,24}")


class _File(NamedTuple):
    path: Path
    changed: float  # seconds since 1970
    size: int


class TableStore:
    """The folder; without one, a temporary folder, from the first table until the end."""

    def __init__(self, folder: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        self.lasting = folder is not None  # whether it is there when the server starts again
        self._own: tempfile.TemporaryDirectory[str] | None = None
        self._folder = folder  # None before the first table, where it is temporary
        self._clock = clock
        self._addresses: dict[str, str] = {}  # by file, whose tables they are

    def begin(self, terms: TableTerms, awake: Collection[str]) -> Journal:
        """The journal of a new table; for want of room, old ones are removed, none of `awake`.

        To be called by one thread at a time.
        """
        if self._folder is None:
            self._own = tempfile.TemporaryDirectory(prefix="joute-tables-")
            self._folder = Path(self._own.name)
        with suppress(OSError):  # it cannot be written to: tables are kept in memory alone
            (self._folder / RECORDS).mkdir(parents=True, exist_ok=True, mode=0o700)
        self._sweep(self._folder, awake)
        path = self._folder / f"{terms.name}{JOURNAL}"
        self._addresses[path.name] = terms.address
        return begun(path, terms)

    def find(self, name: str) -> tuple[TableProgress, Journal] | None:
        """The table of that name as it was left, and its journal, to go on with.

        The journal's file loses what is left of a line after the last whole one: no other journal
        may be writing it. Raises RecordError if it cannot be read.
        """
        found = self._read(name)
        if found is None or self._folder is None:
            return None
        progress, chain, size = found
        return progress, Journal(self._folder / f"{name}{JOURNAL}", chain, size)

    def progress(self, name: str) -> TableProgress | None:
        """The table of that name as it was left. Raises RecordError if it cannot be read."""
        found = self._read(name)
        return None if found is None else found[0]

    def _read(self, name: str) -> tuple[TableProgress, str, int] | None:
        content = self._content("", name, JOURNAL)
        if content is None:
            return None
        progress, chain, size = read_journal(content)
        if progress.terms.name != name:
            raise RecordError(1, "the journal of another table")
        return progress, chain, size

    def keep_record(self, name: str, content: bytes) -> None:
        """Stores the record of a game that is over. One that cannot be stored is let go."""
        if self._folder is None:
            return
        records = self._folder / RECORDS
        with suppress(OSError):
            put(records / f"{name}{RECORD}", content, private=True)
        kept = _files(records, RECORD)
        size = sum(each.size for each in kept)
        while len(kept) > MOST_RECORDS or size > MOST_RECORD_BYTES:
            size -= kept[0].size
            _remove(kept.pop(0).path)

    def record(self, name: str) -> bytes | None:
        """The record of the game of a table, if it is over and still kept."""
        return self._content(RECORDS, name, RECORD)

    def close(self) -> None:
        """Removes a temporary folder."""
        if self._own is not None:
            self._own.cleanup()

    def _content(self, inner: str, name: str, suffix: str) -> bytes | None:
        if self._folder is None or not _NAME.fullmatch(name):
            return None
        try:
            return (self._folder / inner / f"{name}{suffix}").read_bytes()
        except OSError:
            return None

    def _sweep(self, folder: Path, awake: Collection[str]) -> None:
        """Removes tables of long ago, and for want of room the oldest of who has the most."""
        kept = [each for each in _files(folder, JOURNAL) if each.path.stem not in awake]
        oldest = self._clock() - KEPT_SECONDS
        for each in [each for each in kept if each.changed < oldest]:
            kept.remove(each)
            self._forget(each)
        size = sum(each.size for each in kept)
        while kept and (len(kept) + len(awake) >= MOST_TABLES or size > MOST_BYTES):
            owners = Counter(self._addresses.get(each.path.name, "") for each in kept)
            crowd = owners.most_common(1)[0][0]
            first = next(e for e in kept if self._addresses.get(e.path.name, "") == crowd)
            kept.remove(first)
            size -= first.size
            self._forget(first)

    def _forget(self, file: _File) -> None:
        self._addresses.pop(file.path.name, None)
        _remove(file.path)


def _files(folder: Path, suffix: str) -> list[_File]:
    """The files of a folder with that ending, the oldest first."""
    found = []
    with suppress(OSError):
        for path in folder.glob(f"*{suffix}"):
            with suppress(OSError):
                known = path.stat()
                found.append(_File(path, known.st_mtime, known.st_size))
    return sorted(found, key=lambda each: each.changed)


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()
