"""The chaining of rows as they are written, and the passage through the chain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, Table, exists, func, insert, select, true

from joute.store.columns import faults_text, text_of, tuple_of
from joute.store.links import (
    BEGINNING,
    CONFIGURATION,
    GAME,
    MARK,
    NOTE,
    VALUES,
    Chained,
    Link,
    after,
)
from joute.store.model import DamagedError, Decision, StoredGame
from joute.store.tables import contest, games, lineups, links, marks, meta, notes, records, seats

TABLES: Mapping[str, Table] = {CONFIGURATION: contest, GAME: games, MARK: marks, NOTE: notes}
PAGE = 2000  # links read at once
_OF_LINEUP = ("members", "bots", "map")
_OF_GAME = [  # the columns of the values of a game but for the last, its seats
    (lineups if name in _OF_LINEUP else games).c[name] for name in VALUES[GAME] if name != "seats"
]


_FIGURES = ("points", "cpu_ms", "asked")  # of a seat
_SAME = ("identity", "set_number", "ending", "plies", "chain", "record", "played_at")


class Appender:
    """Appends rows to the chain, in a transaction of its caller's; nobody else writes meanwhile."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._number, self._link = last_link(connection)
        self._rows: list[dict[str, Any]] = []

    def add(self, kind: str, row: int, values: Mapping[str, Any]) -> None:
        """Chain a row that was just written."""
        ordered = {name: values[name] for name in VALUES[kind]}
        self._link = after(self._link, kind, row, ordered)
        self._number += 1
        self._rows.append({"number": self._number, "kind": kind, "row": row, "link": self._link})

    def write(self) -> None:
        """Writes the links of the rows that were added."""
        if self._rows:
            self._connection.execute(insert(links), self._rows)
            self._rows = []


def last_link(connection: Connection) -> Link:
    """The last link, found at once however long the chain is."""
    query = select(links.c.number, links.c.link).order_by(links.c.number.desc()).limit(1)
    row = connection.execute(query).first()
    return Link(0, BEGINNING) if row is None else Link(*row)


def link_at(connection: Connection, number: int) -> bytes | None:
    """The link of a number."""
    return connection.scalar(select(links.c.link).where(links.c.number == number))


def number_of(connection: Connection, link: bytes) -> int | None:
    """The number of a link, None if it is not in the chain."""
    return connection.scalar(select(links.c.number).where(links.c.link == link).limit(1))


def rows_until(connection: Connection, number: int) -> dict[str, int]:
    """The number of the last row of each kind among the first links."""
    query = (
        select(links.c.kind, func.max(links.c.row))
        .where(links.c.number <= number)
        .group_by(links.c.kind)
    )
    return {each[0]: each[1] for each in connection.execute(query)}


def links_after(connection: Connection, number: int) -> Sequence[Any]:
    """A page of links, from the one after `number` on: number, kind, row, link."""
    query = (
        select(links.c.number, links.c.kind, links.c.row, links.c.link)
        .where(links.c.number > number)
        .order_by(links.c.number)
        .limit(PAGE)
    )
    return connection.execute(query).all()


def with_rows(
    connection: Connection, page: Sequence[Any], before: Link
) -> tuple[list[Chained], Link]:
    """The links of a page with their rows, and the last of them.

    `before` is the link before the page. A link that does not hold is told once: those after it
    are compared with what stands there.
    """
    wanted: dict[str, list[int]] = defaultdict(list)
    for number, kind, row, _ in page:
        if type(row) is not int or not isinstance(kind, str):
            raise DamagedError("links", number, "row", (kind, row))
        wanted[kind].append(row)
    found = {kind: _values(connection, kind, rows) for kind, rows in wanted.items()}
    told = []
    for number, kind, row, there in page:
        values, link = found[kind].get(row), there if isinstance(there, bytes) else b""
        holds = values is not None and after(before.link, kind, row, values) == link
        told.append(Chained(number, kind, row, values, holds, before.number + 1))
        before = Link(number, link)
    return told, before


def _values(connection: Connection, kind: str, rows: Sequence[int]) -> dict[int, dict[str, Any]]:
    """The values of some rows of a kind, in the order in which they are hashed."""
    if kind not in TABLES:
        return {}
    if kind == GAME:
        return _games(connection, rows)
    columns = TABLES[kind].c
    query = select(columns.number, *(columns[name] for name in VALUES[kind]))
    found = connection.execute(query.where(columns.number.in_(rows)))
    return {row[0]: dict(zip(VALUES[kind], row[1:], strict=True)) for row in found}


def _games(connection: Connection, rows: Sequence[int]) -> dict[int, dict[str, Any]]:
    chosen = games.c.number.in_(rows)
    query = select(games.c.number, *_OF_GAME)
    query = query.join(lineups, lineups.c.number == games.c.lineup, isouter=True)
    found = connection.execute(query.where(chosen)).all()
    at: dict[int, list[list[Any]]] = defaultdict(list)
    most = max(map(_seats, {row.bots for row in found}), default=0)
    taken = (
        select(seats.c.game, seats.c.seat, seats.c.points, seats.c.cpu_ms, seats.c.asked)
        .join(games, (games.c.lineup == seats.c.lineup) & (games.c.number == seats.c.game))
        .where(chosen)
        .where(seats.c.seat.in_(range(most)))  # with each named, the database finds those wanted
        .order_by(seats.c.seat)
    )
    for game, *seat in connection.execute(taken):
        at[game].append(seat)
    return {row[0]: dict(zip(VALUES[GAME], (*row[1:], at[row[0]]), strict=True)) for row in found}


def _seats(bots: Any) -> int:
    """The number of seats in games of a line-up; none where it is not readable."""
    try:
        return len(tuple_of(bots))
    except (TypeError, ValueError):
        return 0


def strays(connection: Connection) -> Iterator[tuple[str, object]]:
    """Rows that belong to nothing, the first of each sort: its sort, and its number or its game's.

    A sort is a kind, of rows that no link stands for, or the name of a table whose rows only mean
    something with a game's.
    """
    known = ("layout",)
    other = select(meta.c.key).where(meta.c.key.not_in(known)).order_by(meta.c.key).limit(1)
    yield from (("meta", key) for key in connection.scalars(other))
    for kind, table in TABLES.items():
        linked = select(links.c.row).where(links.c.kind == kind)
        rest = select(table.c.number).except_(linked).subquery()
        yield from _first(connection, kind, rest.c.number, true())
    of_record = exists().where(games.c.number == records.c.game)
    yield from _first(connection, "records", records.c.game, ~of_record)
    of_lineup = exists().where(games.c.lineup == lineups.c.number)
    yield from _first(connection, "lineups", lineups.c.number, ~of_lineup)
    of_seat = exists().where(games.c.number == seats.c.game, games.c.lineup == seats.c.lineup)
    yield from _first(connection, "seats", seats.c.game, ~of_seat)


def _first(
    connection: Connection, sort: str, column: Any, condition: Any
) -> Iterable[tuple[str, object]]:
    found = connection.scalar(select(func.min(column)).where(condition))
    return [] if found is None else [(sort, found)]


def count_seats(connection: Connection) -> int:
    """The number of seats that are kept, whether a game knows them or not."""
    return connection.scalar(select(func.count()).select_from(seats)) or 0


def write_row(connection: Connection, kind: str, values: Mapping[str, Any]) -> None:
    """Writes a row of a kind that is not GAME with the next number, and chains it."""
    table = TABLES[kind]
    number = (connection.scalar(select(func.max(table.c.number))) or 0) + 1
    connection.execute(insert(table).values(number=number, **values))
    appender = Appender(connection)
    appender.add(kind, number, values)
    appender.write()


def write_decisions(connection: Connection, notes: Sequence[Decision]) -> None:
    """Writes decisions but those there word for word: handed in twice, they count once."""
    for each in notes:
        same = [marks.c[name] == value for name, value in msgspec.structs.asdict(each).items()]
        if connection.scalar(select(marks.c.number).where(*same)) is None:
            write_row(connection, MARK, msgspec.structs.asdict(each))


def write_games(
    connection: Connection, batch: Sequence[StoredGame], packed: Mapping[str, bytes]
) -> int:
    """Writes the games that are not there yet, and their records; returns how many those were."""
    new = _new_games(connection, batch)
    if not new:
        return 0
    first = (connection.scalar(select(func.max(games.c.number))) or 0) + 1
    numbered = list(enumerate(new, first))
    places = _lineup_numbers(connection, new)
    rows = [_game_row(game, number, places[_key(game)]) for number, game in numbered]
    connection.execute(insert(games), rows)
    both = list(zip(new, rows, strict=True))
    taken = [_seat_rows(game, row["number"], row["lineup"]) for game, row in both]
    if any(taken):
        connection.execute(insert(seats), [seat for each in taken for seat in each])
    kept = [
        {"game": number, "content": packed[game.identity]}
        for number, game in numbered
        if game.identity in packed
    ]
    if kept:
        connection.execute(insert(records), kept)
    appender = Appender(connection)
    for (game, row), each in zip(both, taken, strict=True):
        members, bots, played_on = _key(game)
        lineup = {"members": members, "bots": bots, "map": played_on}
        figures = [[seat["seat"], *(seat[name] for name in _FIGURES)] for seat in each]
        appender.add(GAME, row["number"], {**row, **lineup, "seats": figures})
    appender.write()
    return len(new)


def _new_games(connection: Connection, batch: Sequence[StoredGame]) -> list[StoredGame]:
    """The games of a batch that are not kept, each once, the first time."""
    first: dict[str, StoredGame] = {}
    for game in batch:
        first.setdefault(game.identity, game)
    known = set(
        connection.scalars(select(games.c.identity).where(games.c.identity.in_(list(first))))
    )
    return [game for identity, game in first.items() if identity not in known]


def _lineup_numbers(
    connection: Connection, batch: Iterable[StoredGame]
) -> dict[tuple[str, str, str], int]:
    """The numbers of the line-ups of some games; those that are new are written."""
    wanted = {_key(game): 0 for game in batch}
    query = select(lineups).where(lineups.c.bots.in_([bots for _, bots, _ in wanted]))
    for row in connection.execute(query):
        key = (row.members, row.bots, row.map)
        if key in wanted:
            wanted[key] = row.number
    missing = [key for key, number in wanted.items() if not number]
    if missing:
        first = (connection.scalar(select(func.max(lineups.c.number))) or 0) + 1
        wanted.update({key: number for number, key in enumerate(missing, first)})
        rows = [
            {"number": wanted[key], "members": key[0], "bots": key[1], "map": key[2]}
            for key in missing
        ]
        connection.execute(insert(lineups), rows)
    return wanted


def _key(game: StoredGame) -> tuple[str, str, str]:
    return text_of(game.members), text_of(game.bots), game.map


def _game_row(game: StoredGame, number: int, lineup: int) -> dict[str, Any]:
    return {
        "number": number,
        "lineup": lineup,
        "returns": text_of(game.returns),
        "faults": faults_text(game.faults),
        "isolation": text_of(game.isolation),
        **{name: getattr(game, name) for name in _SAME},
    }


def _seat_rows(game: StoredGame, number: int, lineup: int) -> list[dict[str, Any]]:
    each = zip(game.points, game.cpu_ms, game.asked, strict=True)
    return [
        {
            "lineup": lineup,
            "seat": seat,
            "game": number,
            "points": int(points),
            "cpu_ms": float(cpu_ms),
            "asked": int(asked),
        }
        for seat, (points, cpu_ms, asked) in enumerate(each)
    ]
