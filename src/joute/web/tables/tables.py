"""The tables of a server, a bounded number, and the records of their finished games."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any

from joute.i18n.words import say
from joute.play.advice import adviser
from joute.play.chance import derive
from joute.play.game import HUMAN, GameSpec
from joute.play.people import Lines, rematch
from joute.web.errors import RequestRefusal
from joute.web.tables.table import Chair, Table
from joute.web.tables.thinkers import Thinkers

MOST = 64  # tables at once
OWN = 8  # of these, whose game goes on, that one browser may open
SHARE = 2  # all browsers of one address may open half of them
IDLE_SECONDS = 1800.0  # that a game is kept after the last of its people has left
SHORT_SECONDS = 120.0  # the same where another table is wanted and there is room for none
MOST_RECORDS = 500
MOST_RECORD_BYTES = 64 * 1024 * 1024


class Full(RequestRefusal):
    """There is no room for another table."""

    status = 503  # of the answer


class TooMany(Full):
    """A browser or an address has as many tables as it may have."""

    status = 429


class Tables:
    """The tables by their names."""

    def __init__(
        self,
        most: int = MOST,
        clock: Callable[[], float] = time.monotonic,
        thinkers: Thinkers | None = None,
    ) -> None:
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._records: OrderedDict[str, bytes] = OrderedDict()
        self.thinkers = thinkers or Thinkers()

    def open(
        self,
        spec: GameSpec,
        seats: Iterable[int],
        visitor: str,
        speed: float = 0.0,
        before: Lines = (),
        address: str = "",
    ) -> Table:
        """A new table at which a browser has these seats; other people come by links to theirs.

        `address` is that of the browser. Raises Full.
        """
        own = set(seats)
        self._check_own(visitor, address)
        chairs = {seat: Chair(visitor if seat in own else "") for seat in spec.people}
        table = self._added(spec, chairs, speed, before)
        table.opener, table.address = visitor, address
        return table

    def _check_own(self, visitor: str, address: str) -> None:
        """Raises TooMany if a browser, or an address, has as many tables as it may have."""
        with self._lock:
            going = [table for table in self._tables.values() if not self._is_done(table)]
        if sum(table.opener == visitor for table in going) >= OWN:
            raise TooMany(say("table.error.own", most=OWN))
        shared = self._most // SHARE
        if address and sum(table.address == address for table in going) >= shared:
            raise TooMany(say("table.error.shared", most=shared))

    def _is_done(self, table: Table) -> bool:
        """Whether it may be cleared away when there is no room."""
        return table.over or self._left(table) > SHORT_SECONDS

    def rematch(self, table: Table) -> Table:
        """The next game of a table: everybody one seat on. Raises Full."""
        with table.lock:
            if not table.successor:
                self._next(table)
            return self._tables[table.successor]

    def _next(self, table: Table) -> None:
        count = len(table.spec.bots)
        chairs = {(seat - 1) % count: Chair(each.visitor) for seat, each in table.chairs.items()}
        spec = rematch(table.spec, derive(secrets.token_hex(16), "table"))
        new = self._added(spec, dict(sorted(chairs.items())), table.speed)
        new.opener, new.address = table.opener, table.address
        table.successor = new.name
        table.changed()

    def _added(
        self,
        spec: GameSpec,
        chairs: dict[int, Chair],
        speed: float,
        before: Lines = (),
    ) -> Table:
        with self._lock:
            self._make_room()
            name = secrets.token_urlsafe(8)
            table = Table(name, spec, chairs, self.thinkers, speed, before, self._clock)
            self._tables[name] = table
        self.thinkers.want(table.playing.game, players(table.playing.game, spec))
        table.begin_if_full()
        return table

    def find(self, name: str) -> Table | None:
        """The table of that name, if there still is one."""
        with self._lock:
            return self._tables.get(name)

    def record(self, name: str) -> bytes | None:
        """The record of the game of a table, if it is over and still kept."""
        table = self.find(name)
        if table is not None and table.record is not None:
            return table.record
        with self._lock:
            return self._records.get(name)

    def names(self) -> list[str]:
        """The names of the tables whose game is not over, the oldest first."""
        with self._lock:
            return [name for name, table in self._tables.items() if not table.over]

    def close(self) -> None:
        """Closes all tables."""
        with self._lock:
            tables = list(self._tables.values())
            self._tables.clear()
        self.thinkers.close()
        for table in tables:
            table.close()
        for table in tables:
            table.playing.join()

    # Room.

    def _make_room(self) -> None:
        """Removes tables that are over or abandoned, recently abandoned ones only for want of room.

        Raises Full.
        """
        for seconds in (IDLE_SECONDS, SHORT_SECONDS):
            for table in list(self._tables.values()):
                if self._left(table) > (SHORT_SECONDS if table.over else seconds):
                    self._clear(table)
            if len(self._tables) < self._most:
                return
        for table in list(self._tables.values()):
            if table.over and not table.watchers:
                self._clear(table)
        if len(self._tables) >= self._most:
            raise Full(say("table.error.full", most=self._most))

    def _left(self, table: Table) -> float:
        """The seconds since the last connection ended; 0 while there is one."""
        return 0.0 if table.watchers else self._clock() - table.touched

    def _clear(self, table: Table) -> None:
        del self._tables[table.name]
        table.close()
        if table.record is None:
            return
        self._records[table.name] = table.record
        while len(self._records) > MOST_RECORDS or self._bytes() > MOST_RECORD_BYTES:
            self._records.popitem(last=False)

    def _bytes(self) -> int:
        return sum(map(len, self._records.values()))


def players(game: Any, spec: GameSpec) -> list[str]:
    """The bots that may be asked at a table: those of its seats, then the adviser of its people."""
    bots = [seat.bot for seat in spec.bots if seat.bot != HUMAN]
    return [*bots, *filter(None, [adviser(game)])]
