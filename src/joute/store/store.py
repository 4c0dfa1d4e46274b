"""A contest's results in a database: opened by URL, written in whole transactions.

A batch of games with their records is one transaction: after a kill at any moment a batch is there
whole or not at all, and a game handed in twice counts once, the first time. What adds up over a
contest is asked of the database, or gone through page by page; nothing here loads a contest whole,
but for `games`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar

from msgspec import structs
from sqlalchemy import URL, Connection, func, select

from joute.i18n.words import Sentence
from joute.machine import Closing
from joute.store.chaining import (
    count_seats,
    last_link,
    link_at,
    links_after,
    number_of,
    rows_until,
    strays,
    with_rows,
    write_decisions,
    write_games,
    write_row,
)
from joute.store.columns import (
    check_link,
    check_mark,
    check_texts,
    note_of,
    object_in,
    pack,
    text_of,
    unpack,
)
from joute.store.database import (
    PATIENCE_SECONDS,
    Database,
    file_url,
    missing_file,
    placed,
    public_url,
)
from joute.store.links import BEGINNING, CONFIGURATION, MARK, NOTE, Chained, Link
from joute.store.model import (
    OF_GAMES,
    Configuration,
    Decision,
    Note,
    StoredGame,
    StoredResult,
    StoreError,
    checked,
    in_force,
)
from joute.store.reading import Listed, ResultReader, games_at, games_named, how_many, listed
from joute.store.tables import (
    LAYOUT_VERSION,
    bring_up,
    contest,
    games,
    layout_of,
    marks,
    notes,
    records,
)

__all__ = ["Store", "StoreError", "missing_file", "placed", "public_url"]

PAGE = 20_000  # games read at once
RECORDS_PAGE = 200  # records, which are some kilobytes each

T = TypeVar("T")


class Store(Closing):
    """The open database of one contest. Close it, or use it as a context manager."""

    def __init__(self, url: str | URL, patience_seconds: float = PATIENCE_SECONDS) -> None:
        """Opens the database at `url` (SQLAlchemy's form), making its tables if it is new.

        A server that goes away later is waited for, so long. Raises StoreError if what is there is
        not a database of this layout or an older one; so do all methods if it cannot be used.
        """
        self._database = Database(url, patience_seconds)
        self.url = self._database.name  # without a password
        self.file = self._database.file  # None where a server has the database
        try:
            self._bring_up()
        except StoreError:
            self.close()
            raise

    def _bring_up(self) -> None:
        # Whoever only looks at a database of this layout need not be able to write it.
        found = self._database.read(lambda connection: layout_of(connection, self.url))
        if found == str(LAYOUT_VERSION):
            return
        try:
            self._database.write(lambda connection: bring_up(connection, self.url))
        except StoreError as error:
            if found is None:
                raise
            message = Sentence("error.store.brought_up", reason=error, layout=found)
            raise type(error)(message, error.short) from error

    @classmethod
    def in_file(cls, path: Path) -> Store:
        """The SQLite database in the file `path`, made if it is missing."""
        return cls(file_url(path))  # no text, in which some signs of a path would mean something

    def snapshot(self) -> AbstractContextManager[None]:
        """A block in which all that is read is of one moment, whoever writes meanwhile."""
        return self._database.snapshot()

    def copy_to(self, path: Path) -> bool:
        """Copies the database into a new file, as it was before its own was deleted.

        Returns whether it could be, which takes SQLite: a server keeps its databases itself. Raises
        OSError, StoreError.
        """
        if not self._database.sqlite:
            return False
        self._database.copy_to(path)
        return True

    def seed(self) -> str | None:
        """The seed of the configuration in force, or None where none is drawn yet."""
        newest = select(contest.c.seed).order_by(contest.c.number.desc()).limit(1)
        return self._database.read(lambda connection: connection.scalar(newest)) or None

    def configurations(self) -> list[str]:
        """Every configuration kept, as JSON, oldest first."""
        return [each.configuration for each in self.configured()]

    def configured(self) -> list[Configuration]:
        """Every configuration kept, with what was known when it came into force, oldest first."""
        names = Configuration._fields
        rows = select(*(contest.c[name] for name in names)).order_by(contest.c.number)
        found = self._database.read(
            lambda connection: [Configuration(*row) for row in connection.execute(rows)]
        )
        for each in found:
            check_texts("contest", each.number, names[1:], each[1:])
            object_in("contest", each.number, "configuration", each.configuration)
        return found

    def keep_configuration(
        self,
        configuration: str,
        seed: str,
        contents: Mapping[str, str] | None = None,
        made_at: str = "",
    ) -> None:
        """Makes this the configuration in force, unless it is already.

        `contents` are the hashes of the bots' files, by name, and `made_at` is the time.
        """
        known = "" if contents is None else text_of(dict(sorted(contents.items())))
        values = {"configuration": configuration, "seed": seed, "contents": known}
        newest = select(contest).order_by(contest.c.number.desc()).limit(1)

        def keep(connection: Connection) -> None:
            row = connection.execute(newest).mappings().first()
            if row is not None and all(row[name] == value for name, value in values.items()):
                return
            write_row(connection, CONFIGURATION, values | {"made_at": made_at})

        self._database.write(keep)

    def add(
        self,
        batch: Iterable[StoredGame],
        records: Mapping[str, bytes] | None = None,
        packed: Mapping[str, bytes] | None = None,
        notes: Sequence[Decision] = (),
    ) -> int:
        """Writes games with their `records`, by identity, in one transaction.

        `packed` are those that went through `pack` already, where there was time for it.
        `notes` are decisions about games, those of the batch or others that were never kept.
        Games already there stay as they are. Returns how many were new; where the database went
        away at the moment it had written them, those are taken for old.
        """
        played = list(batch)
        if not played and not notes:
            return 0
        frames = {identity: pack(each) for identity, each in (records or {}).items()}
        frames.update(packed or {})

        def write(connection: Connection) -> int:
            added = write_games(connection, played, frames)
            write_decisions(connection, notes)
            return added

        return self._database.write(write)

    def identities(self) -> set[str]:
        """The identities of all games kept."""
        found: set[str] = set()
        columns = (games.c.number, games.c.identity)

        def page(connection: Connection, last: int) -> list[tuple[int, str]]:
            query = select(*columns).where(games.c.number > last)
            return [
                tuple(row) for row in connection.execute(query.order_by(columns[0]).limit(PAGE))
            ]

        for rows in self._pages(page, lambda row: row[0]):
            found.update(identity for _, identity in rows)
        return found

    def count(self) -> int:
        """The number of games that are kept."""
        return self._database.read(
            lambda each: each.scalar(select(func.count(games.c.number))) or 0
        )

    def state(self) -> tuple[int, int]:
        """The numbers of games and decisions, with which all that is read off changes."""
        last = func.max(games.c.number).label("games"), func.max(marks.c.number).label("marks")
        query = select(*(select(each).scalar_subquery() for each in last))
        games_kept, made = self._database.read(lambda each: each.execute(query).one())
        return games_kept or 0, made or 0

    def named(self, beginning: str, most: int = 2) -> list[str]:
        """The identities, `most` of them at most, that begin so."""
        query = select(games.c.identity).where(games.c.identity.between(beginning, f"{beginning}g"))
        ordered = query.order_by(games.c.identity).limit(most)
        return self._database.read(lambda each: list(each.scalars(ordered)))

    def game_number(self, identity: str) -> int | None:
        """The number of a game in the order of arrival, None if it is not kept."""
        query = select(games.c.number).where(games.c.identity == identity)
        return self._database.read(lambda each: each.scalar(query))

    def games(self) -> dict[str, StoredGame]:
        """All games kept, by identity, in the order of their arrival: whole, in memory."""
        pages = self._pages(lambda each, last: games_at(each, last, PAGE), lambda row: row[0])
        return {game.identity: game for rows in pages for _, game in rows}

    def games_named(self, identities: Sequence[str]) -> dict[str, StoredGame]:
        """Those of some games that are kept, by identity."""
        found = self._database.read(lambda each: games_named(each, identities))
        return {game.identity: game for game in found}

    def results(self, after: int = 0) -> Iterator[StoredResult]:
        """The result of each game but the first `after`, in the order of their arrival."""
        reader = ResultReader()
        for rows in self._pages(
            lambda each, last: reader.page(each, last, PAGE), lambda row: row[0], after
        ):
            yield from map(reader.result, rows)

    def listed(
        self, bots: Sequence[str] = (), before: int | None = None, count: int = 50
    ) -> list[Listed]:
        """Games, the newest first, from below the number `before` on; those with all of `bots`."""
        return self._database.read(lambda each: listed(each, bots, before, count))

    def how_many(self, bots: Sequence[str] = ()) -> int:
        """The number of games that are kept in which all of `bots` play."""
        return self._database.read(lambda each: how_many(each, bots))

    def chains(self) -> Iterator[tuple[str, str]]:
        """The name of each game's record, with the hash of its last line."""
        columns = (games.c.number, games.c.record, games.c.chain)

        def page(connection: Connection, last: int) -> list[tuple[int, str, str]]:
            query = select(*columns).where(games.c.number > last).where(games.c.record != "")
            return [
                tuple(row) for row in connection.execute(query.order_by(columns[0]).limit(PAGE))
            ]

        for rows in self._pages(page, lambda row: row[0]):
            yield from (row[1:] for row in rows)

    def records(self) -> Iterator[tuple[str, bytes]]:
        """The records of the database with the identities of their games, by order of arrival."""
        query = (
            select(games.c.number, games.c.identity, records.c.content)
            .join(records, records.c.game == games.c.number)
            .order_by(games.c.number)
            .limit(RECORDS_PAGE)
        )

        def page(connection: Connection, last: int) -> list[tuple[int, str, bytes]]:
            found = connection.execute(query.where(games.c.number > last))
            return [(number, identity, packed) for number, identity, packed in found]

        for rows in self._pages(page, lambda row: row[0]):
            for _, identity, packed in rows:
                yield identity, self._unpacked(identity, packed)

    def frames(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """The records of the games of these numbers, packed as the database has them."""
        query = select(records.c.game, records.c.content).where(records.c.game.in_(numbers))
        rows = self._database.read(lambda connection: connection.execute(query).all())
        return {row[0]: row[1] for row in rows}

    def record(self, identity: str) -> bytes | None:
        """The record of a game, JSON Lines; None if it is not in the database."""
        query = (
            select(records.c.content)
            .join(games, games.c.number == records.c.game)
            .where(games.c.identity == identity)
        )
        packed = self._database.read(lambda connection: connection.scalar(query))
        return None if packed is None else self._unpacked(identity, packed)

    def _unpacked(self, identity: str, packed: bytes) -> bytes:
        try:
            return unpack(packed)
        except ValueError as error:
            facts = {"store": self.url, "game": identity, "reason": error}
            raise StoreError(Sentence("error.store.record", **facts)) from None

    def decide(self, decision: Decision) -> None:
        """Notes that a game or a bot is out of the contest, or back; nothing is deleted.

        Raises ValueError for a decision that is not whole, StoreError for a game that is not kept.
        """
        checked(decision)

        def add(connection: Connection) -> bool:
            known = select(games.c.number).where(games.c.identity == decision.subject)
            if decision.kind in OF_GAMES and connection.scalar(known) is None:
                return False
            write_row(connection, MARK, structs.asdict(decision))
            return True

        if not self._database.write(add):
            raise StoreError(Sentence("error.store.no_game", store=self.url, game=decision.subject))

    def decisions(self) -> list[Decision]:
        """All that was ever decided, oldest first."""
        query = select(marks.c.number, *(marks.c[name] for name in Decision.__struct_fields__))
        rows = self._database.read(
            lambda connection: connection.execute(query.order_by(marks.c.number)).all()
        )
        for number, *values in rows:
            check_texts("marks", number, Decision.__struct_fields__, values)
            check_mark(number, values[0])
        return [Decision(*values) for _, *values in rows]

    def note(self, kind: str, content: Mapping[str, Any], made_at: str) -> None:
        """Notes something that happened to the store, for good; `made_at` is the time."""
        values = {"kind": kind, "content": text_of(content), "made_at": made_at}
        self._database.write(lambda connection: write_row(connection, NOTE, values))

    def notes(self) -> list[Note]:
        """All that was ever noted, oldest first."""
        query = select(notes.c.number, notes.c.kind, notes.c.content, notes.c.made_at)
        rows = self._database.read(
            lambda connection: connection.execute(query.order_by(notes.c.number)).all()
        )
        return [note_of(*row) for row in rows]

    def last_link(self) -> Link:
        """The last link of the chain of rows; it is found at once, however many there are."""
        found = self._database.read(last_link)
        check_link(found)
        return found

    def link_at(self, number: int) -> bytes | None:
        """The link of a number, from 1; None if there is none."""
        return self._database.read(lambda connection: link_at(connection, number))

    def number_of(self, link: bytes) -> int | None:
        """The number of a link, None if it is not in the chain."""
        return self._database.read(lambda connection: number_of(connection, link))

    def rows_until(self, number: int) -> dict[str, int]:
        """The number of the last row of each kind that the first `number` links stand for."""
        return self._database.read(lambda connection: rows_until(connection, number))

    def chained(self) -> Iterator[Chained]:
        """The whole chain, each link with its row as that is now."""
        before = Link(0, BEGINNING)
        while page := self._database.read(lambda each: links_after(each, before.number)):  # noqa: B023
            told, before = self._database.read(lambda each: with_rows(each, page, before))  # noqa: B023
            yield from told

    def strays(self) -> list[tuple[str, object]]:
        """Rows that belong to nothing: their table or kind, and the number of the first."""
        return self._database.read(lambda connection: list(strays(connection)))

    def seats(self) -> int:
        """The number of seats that are kept, of all games together."""
        return self._database.read(count_seats)

    def in_force(self) -> dict[str, Decision]:
        """The decisions in force, by the game's identity or the bot's name."""
        return in_force(self.decisions())

    def _pages(
        self,
        page: Callable[[Connection, int], Sequence[T]],
        number: Callable[[T], int],
        last: int = 0,
    ) -> Iterator[Sequence[T]]:
        """Pages of games one after the other, from the one after `last`; each is a transaction."""
        while rows := self._database.read(lambda connection: page(connection, last)):  # noqa: B023
            yield rows
            last = number(rows[-1])

    def close(self) -> None:
        """Gives the database back; the object cannot be used afterwards."""
        self._database.close()
