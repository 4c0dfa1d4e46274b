"""A table on disk: how it was opened, then a line for each thing that happened at it.

A journal is JSON Lines, each line chained to those before as in a record of a game. It is only ever
appended to, before anybody is told of what the line says, so that the table can be set up again
where it stood after the server was killed. The line that was being written then is left out.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from joute.play.game import GameSpec
from joute.play.record import FIRST_CHAIN, RecordError, chained, unchained

FORMAT = 1
LARGE = 4 * 1024 * 1024
"""Bytes of a journal from which nothing is taken back any more, and only the game is noted."""


class SeatKey(msgspec.Struct):
    """A person's seat: whose browser has it, "" for nobody, and the key of the link to it."""

    visitor: str
    key: str


class TableTerms(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a journal: a table as it was opened."""

    table: int = FORMAT
    name: str
    spec: GameSpec
    rules: str  # the version of the rules
    source: str = ""  # a hash of the rules that do not come with Joute
    seats: dict[int, SeatKey]  # of the people
    speed: float = 0.0  # rounds a second in real time
    clock: tuple[float, float] | None = None  # seconds of each person, and seconds a turn adds
    listed: bool = False  # whether anybody may take a free seat
    pace: float = 1.0  # seconds between two positions of a game between bots
    opener: str = ""  # the browser that opened it
    address: str = ""  # where that is


class TableProgress(msgspec.Struct):
    """A table as its journal has it."""

    terms: TableTerms
    lines: list[dict[str, Any]] = []  # of the game's record, its header and its end apart
    part: int = 1  # as of `playing.Part`
    wishes: dict[str, list[int]] = {}
    allowed: list[str] = []  # help that people have agreed on
    hints: dict[int, int] = {}  # by seat, how many it has had
    successor: str = ""
    count: int = 0  # lines of the journal

    def take(self, line: dict[str, Any]) -> None:
        """Follows a line of the journal after the first. Raises KeyError for no such line."""
        self.count += 1
        if "line" in line:
            self.lines.append(line["line"])
        elif "back" in line:
            del self.lines[line["back"] :]
            self.part += 1
        elif "sat" in line:
            self._sit(line["sat"], line["visitor"], line["name"])
        elif "next" in line:
            self.successor = line["next"]
        else:
            self.wishes, self.allowed = line["wishes"], line["allowed"]
            self.hints = {int(seat): count for seat, count in line["hints"].items()}

    def _sit(self, seat: int, visitor: str, name: str) -> None:
        self.terms.seats[seat].visitor = visitor
        bots = list(self.terms.spec.bots)
        bots[seat] = msgspec.structs.replace(bots[seat], name=name)
        spec = msgspec.structs.replace(self.terms.spec, bots=tuple(bots))
        self.terms = msgspec.structs.replace(self.terms, spec=spec)


class Journal:
    """The file of a table. Its methods may be called from any thread.

    A journal that cannot be written (of a full disk) is removed, and `whole` is False from then on:
    the table goes on in memory alone.
    """

    def __init__(self, path: Path, chain: str = FIRST_CHAIN, size: int = 0) -> None:
        self.path = path
        self.whole = True
        self.size = size  # bytes
        self._chain = chain
        self._lock = threading.Lock()
        self._file = -1
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            os.ftruncate(self._file, size)
        except OSError:
            self._give_up()

    def add(self, **line: Any) -> None:
        """Appends a line."""
        with self._lock:
            if not self.whole:
                return
            written, self._chain = chained(line, self._chain)
            try:
                if os.write(self._file, written) < len(written):
                    self._give_up()
            except OSError:
                self._give_up()
            self.size += len(written)

    def close(self) -> None:
        """Appends nothing any more; the file stays."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._file >= 0:
            os.close(self._file)
        self._file, self.whole = -1, False

    def remove(self) -> None:
        """Removes the file: the table is forgotten."""
        self.close()
        self._unlink()

    def _unlink(self) -> None:
        with suppress(OSError):
            self.path.unlink()

    def _give_up(self) -> None:
        """A journal that lacks a line would set up another game than was played."""
        self._end()
        self._unlink()


def begun(path: Path, terms: TableTerms) -> Journal:
    """The journal of a new table."""
    journal = Journal(path)
    journal.add(**msgspec.to_builtins(terms))
    return journal


def read_journal(content: bytes) -> tuple[TableProgress, str, int]:
    """A table as a journal has it, the last chain, and the number of bytes up to there.

    Raises RecordError for a file that is no journal, or was changed.
    """
    whole = content[: content.rfind(b"\n") + 1]
    lines, chain = unchained(whole)
    number = 1
    try:
        progress = TableProgress(msgspec.convert(lines[0], TableTerms, strict=False))
        for line in lines[1:]:
            number += 1
            progress.take(line)
    except (msgspec.ValidationError, LookupError):
        raise RecordError(number, "no journal of a table") from None
    return progress, chain, len(whole)


def played(progress: TableProgress) -> bytes:
    """The game of a table that cannot go on, for its people: chained lines without any secret."""
    spec = progress.terms.spec
    head = {
        "unfinished": spec.game,
        "parameters": spec.parameters,
        "rules": progress.terms.rules,
        "bots": [{"name": seat.name, "bot": seat.bot} for seat in spec.bots],
    }
    return b"".join(_chained([head, *progress.lines]))


def _chained(lines: Iterable[dict[str, Any]]) -> Iterable[bytes]:
    chain = FIRST_CHAIN
    for line in lines:
        written, chain = chained(line, chain)
        yield written
