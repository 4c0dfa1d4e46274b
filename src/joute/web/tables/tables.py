"""The tables of a server, a bounded number, and the records of their finished games."""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from joute.core.errors import GameError
from joute.core.interface import properties
from joute.core.registry import make, source
from joute.host.protocol import Fault
from joute.i18n.words import Sentence, say
from joute.play.advice import adviser
from joute.play.chance import derive
from joute.play.game import HUMAN, GameSpec
from joute.play.people import Lines, rematch
from joute.play.record import RecordError
from joute.play.thinkers import Thinkers
from joute.web.errors import RequestRefusal
from joute.web.tables.journal import Journal, SeatKey, TableProgress, TableTerms, played
from joute.web.tables.table import Chair, Table
from joute.web.tables.table_store import TableStore

MOST = 64  # tables at once
OWN = 8  # of these, whose game goes on, that one browser may open
SHARE = 2  # all browsers of one address may open half of them
IDLE_SECONDS = 1800.0  # after which a table that its people have left is on disk alone
SHORT_SECONDS = 120.0  # the same where another table is wanted and there is room for none


class Full(RequestRefusal):
    """There is no room for another table."""

    status = 503  # of the answer


class TooMany(Full):
    """A browser or an address has as many tables as it may have."""

    status = 429


class LostTable(NamedTuple):
    """A table that is on disk and cannot go on."""

    game: str
    reason: Sentence
    played: bytes  # what was played, see `journal.played`


class Tables:
    """The tables by their names: some in memory, all on disk, in a folder if one is given.

    A table that nobody has looked at for long, or that the server had when it was stopped, is on
    disk alone, and comes back when somebody asks for it.
    """

    def __init__(
        self,
        most: int = MOST,
        clock: Callable[[], float] = time.monotonic,
        thinkers: Thinkers | None = None,
        folder: Path | None = None,
    ) -> None:
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._waking = threading.Lock()
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._store = TableStore(folder)
        self.thinkers = thinkers or Thinkers()
        self.thinkers.settled = self._tell_ready

    def _tell_ready(self) -> None:
        """Tells everybody that a bot has been compiled, which some may play against."""
        for table in self.awake():
            table.changed()

    @property
    def lasting(self) -> bool:
        """Whether tables are there again when the server starts anew."""
        return self._store.lasting

    def open(
        self,
        spec: GameSpec,
        seats: Iterable[int],
        visitor: str,
        speed: float = 0.0,
        before: Lines = (),
        address: str = "",
        **terms: Any,
    ) -> Table:
        """A new table at which a browser has these seats; other people come by links to theirs.

        `address` is that of the browser; `terms` are others of a `TableTerms`: `clock`, `listed`,
        `pace`. Raises Full.
        """
        own = set(seats)
        self._check_own(visitor, address)
        if terms.get("clock") is not None:
            spec = replace(spec, costs={**spec.costs, Fault.TIMEOUT.value: "game"})
        chairs = {seat: Chair(visitor if seat in own else "") for seat in spec.people}
        terms |= {"speed": float(speed), "opener": visitor, "address": address}
        return self._added(spec, chairs, terms, before)

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
            found = self.find(table.successor) if table.successor else None
            return found or self._next(table)

    def _next(self, table: Table) -> Table:
        count = len(table.spec.bots)
        chairs = {(seat - 1) % count: Chair(each.visitor) for seat, each in table.chairs.items()}
        spec = rematch(table.spec, derive(secrets.token_hex(16), "table"))
        kept = ("speed", "clock", "listed", "opener", "address")
        terms = {key: getattr(table.terms, key) for key in kept}
        terms["pace"] = table.playing.pace.seconds
        new = self._added(spec, dict(sorted(chairs.items())), terms)
        table.successor = new.name
        table.journal.add(next=new.name)
        table.changed()
        return new

    def _added(
        self,
        spec: GameSpec,
        chairs: dict[int, Chair],
        values: dict[str, Any],
        before: Lines = (),
    ) -> Table:
        rules, code = _rules(spec)
        seats = {seat: SeatKey(chair.visitor, chair.key) for seat, chair in chairs.items()}
        name = secrets.token_urlsafe(8)
        terms = TableTerms(name=name, spec=spec, rules=rules, source=code, seats=seats, **values)
        with self._lock:
            self._make_room()
            journal = self._store.begin(terms, self._tables.keys())
            table = self._table(TableProgress(terms), journal, before)
        return self._ready(table)

    def _table(self, progress: TableProgress, journal: Journal, before: Lines = ()) -> Table:
        """A table among those in memory. To be called with the lock held."""
        name = progress.terms.name
        finished = partial(self._store.keep_record, name)
        table = Table(progress, journal, self.thinkers, before, self._clock, finished)
        table.lasting = self.lasting
        self._tables[name] = table
        return table

    def _ready(self, table: Table) -> Table:
        game = table.playing.game
        self.thinkers.want_now(game, [seat.bot for seat in table.spec.bots if seat.bot != HUMAN])
        self.thinkers.want_later(game, filter(None, [adviser(game)]))
        table.begin_if_full()
        return table

    def find(self, name: str) -> Table | None:
        """The table of that name, in memory again if it was on disk alone. Raises Full."""
        with self._lock:
            table = self._tables.get(name)
        return table or self._woken(name)

    def _woken(self, name: str) -> Table | None:
        with self._waking:
            with self._lock:
                if name in self._tables:
                    return self._tables[name]
            try:
                found = self._store.find(name)
            except RecordError:
                return None
            if found is None:
                return None
            progress, journal = found
            try:
                if problem(progress) is not None:
                    journal.close()
                    return None
                with self._lock:
                    self._make_room()
                    table = self._table(progress, journal)
            except Exception:
                journal.close()
                raise
            return self._ready(table)

    def lost(self, name: str) -> LostTable | None:
        """The table of that name where it is on disk and cannot go on; its file stays as it is."""
        with self._lock:
            if name in self._tables:
                return None
        try:
            progress = self._store.progress(name)
        except RecordError as error:
            return LostTable("", Sentence("table.lost.broken", line=error.line), b"")
        if progress is None:
            return None
        reason = problem(progress)
        if reason is None:
            return None
        return LostTable(progress.terms.spec.game, reason, played(progress))

    def record(self, name: str) -> bytes | None:
        """The record of the game of a table, if it is over and still kept."""
        with self._lock:
            table = self._tables.get(name)
        if table is not None and table.record is not None:
            return table.record
        return self._store.record(name)

    def names(self) -> list[str]:
        """The names of the tables in memory whose game is not over, the oldest first."""
        with self._lock:
            return [name for name, table in self._tables.items() if not table.over]

    def awake(self) -> list[Table]:
        """The tables in memory whose game is not over, the oldest first."""
        with self._lock:
            return [table for table in self._tables.values() if not table.over]

    def close(self) -> None:
        """Closes all tables; they are on disk alone then."""
        with self._lock:
            tables = list(self._tables.values())
            self._tables.clear()
        self.thinkers.close()
        for table in tables:
            table.close()
        for table in tables:
            table.playing.join()
        self._store.close()

    # Room.

    def _make_room(self) -> None:
        """Clears tables that are over or abandoned, recently abandoned ones only for want of room.

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
        """Leaves a table on disk alone; one that is over is forgotten, and has its record."""
        del self._tables[table.name]
        if table.playing.result is not None:
            table.journal.remove()
        table.close()


def problem(progress: TableProgress) -> Sentence | None:
    """The reason why a table on disk cannot go on; None if it can."""
    spec = progress.terms.spec
    try:
        now = _rules(spec)
    except GameError as error:
        return Sentence("table.lost.game", game=spec.game, reason=error)
    kept = (progress.terms.rules, progress.terms.source)
    return None if now == kept else Sentence("table.lost.rules", game=spec.game)


def _rules(spec: GameSpec) -> tuple[str, str]:
    """The rules that a game is played by, as far as another version of them can be told."""
    known = properties(make(spec.game, **spec.parameters))
    outside = source(spec.game)
    return str(known.version), outside.hash if outside else ""
