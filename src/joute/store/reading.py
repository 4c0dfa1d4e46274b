"""The reading of games: whole, as results, or added up by the database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, func, select

from joute.i18n.words import Sentence
from joute.store.columns import (
    check_counts,
    check_identity,
    check_seats,
    check_texts,
    faults_in,
    names_in,
    numbers_in,
    words_in,
)
from joute.store.model import DamagedError, Lineup, StoredGame, StoredResult
from joute.store.tables import games, lineups, seats
from joute.text import composed

_TEXTS = ("ending", "chain", "record", "played_at")
_COUNTS = ("set_number", "plies")

ResultRow = tuple[int, Sequence[Any], Sequence[Sequence[Any]]]
"""A game's number, its row, and the rows of its seats."""


def games_at(connection: Connection, last: int, count: int) -> list[tuple[int, StoredGame]]:
    """So many whole games with their numbers, from the one after number `last` on."""
    query = _WHOLE.where(games.c.number > last).limit(count)
    rows = connection.execute(query).all()
    return _whole(connection, rows, _between(rows[0].number, rows[-1].number)) if rows else []


def games_named(connection: Connection, identities: Sequence[str]) -> list[StoredGame]:
    """The whole games of these identities that there are, in the order of their arrival."""
    named = games.c.identity.in_(identities)
    rows = connection.execute(_WHOLE.where(named)).all()
    return [game for _, game in _whole(connection, rows, named)]


_WHOLE = (
    select(games, lineups.c.members, lineups.c.bots, lineups.c.map)
    .join(lineups, lineups.c.number == games.c.lineup, isouter=True)
    .order_by(games.c.number)
)


def _whole(
    connection: Connection, rows: Sequence[Row[Any]], condition: ColumnElement[bool]
) -> list[tuple[int, StoredGame]]:
    """The games of the rows, all that meet a condition, each with its number."""
    most = max((len(names_in(row.lineup, "bots", row.bots)) for row in rows), default=0)
    of_game = _seats(connection, condition, most)
    return [(row.number, _game(row, of_game[row.number])) for row in rows]


def _between(first: int, last: int) -> ColumnElement[bool]:
    """The condition that a game has one of these numbers."""
    return games.c.number.between(first, last)


def _game(row: Row[Any], taken: Sequence[Row[Any]]) -> StoredGame:
    return game_of(row.number, row._asdict(), [seat[1:] for seat in taken])


def game_of(number: int, row: Mapping[str, Any], taken: Sequence[Sequence[Any]]) -> StoredGame:
    """The game of a row and its seats' points, milliseconds and actions asked for.

    Raises DamagedError if they are not as we write them.
    """
    check_identity(number, row["identity"])
    check_texts("games", number, _TEXTS, [row[name] for name in _TEXTS])
    check_counts(number, _COUNTS, [row[name] for name in _COUNTS])
    bots = names_in(row["lineup"], "bots", row["bots"])
    check_texts("lineups", row["lineup"], ("map",), (row["map"],))
    check_seats(number, taken, len(bots))
    return StoredGame(
        members=list(names_in(row["lineup"], "members", row["members"])),
        map=row["map"],
        bots=list(bots),
        returns=list(numbers_in(number, "returns", row["returns"], len(bots))),
        points=[points for points, _, _ in taken],
        faults=faults_in(number, row["faults"], len(bots)),
        cpu_ms=[cpu_ms for _, cpu_ms, _ in taken],
        asked=[asked for _, _, asked in taken],
        isolation=list(words_in(number, "isolation", row["isolation"])),
        identity=row["identity"],
        **{name: row[name] for name in (*_TEXTS, *_COUNTS)},
    )


class ResultReader:
    """Reads results page by page, as `games_at` reads games; equal parts of theirs are one object.

    A page is of rows, which `result` makes one of when it is wanted.
    """

    def __init__(self) -> None:
        self._known: dict[int, Lineup] = {}
        self._shared: dict[tuple[str, int], tuple[Any, ...]] = {}
        columns = ("number", "identity", "lineup", "set_number", "returns", "faults", "isolation")
        self._query = select(*(games.c[name] for name in columns)).order_by(games.c.number)

    def page(self, connection: Connection, last: int, count: int) -> Sequence[ResultRow]:
        """So many rows, from the one after number `last` on."""
        rows = connection.execute(self._query.where(games.c.number > last).limit(count)).all()
        if not rows:
            return []
        if any(row[2] not in self._known for row in rows):
            self._known = _lineups(connection)
        for row in rows:
            if row[2] not in self._known:
                raise DamagedError("games", row[0], "lineup", row[2])
        most = max(len(self._known[row[2]].bots) for row in rows)
        taken = _seats(connection, _between(rows[0][0], rows[-1][0]), most)
        return [(row[0], row, taken.get(row[0], ())) for row in rows]

    def result(self, found: ResultRow) -> StoredResult:
        """The result that a row of a page holds. Raises StoreError if it is not as we write it."""
        _, (number, identity, lineup, set_number, returns, faults, isolation), taken = found
        at = self._known[lineup]
        seats = len(at.bots)
        check_seats(number, [seat[1:] for seat in taken], seats)
        check_identity(number, identity)
        check_counts(number, ("set_number",), (set_number,))
        return StoredResult(
            identity,
            at,
            set_number,
            self._shared_by(
                (returns, seats), lambda: numbers_in(number, "returns", returns, seats)
            ),
            faults_in(number, faults, seats) if faults else (),
            tuple([seat[1] for seat in taken]),
            tuple([seat[2] for seat in taken]),
            tuple([seat[3] for seat in taken]),
            self._shared_by((isolation, 0), lambda: words_in(number, "isolation", isolation)),
        )

    def _shared_by(
        self, key: tuple[str, int], read: Callable[[], tuple[Any, ...]]
    ) -> tuple[Any, ...]:
        """The list of a column; of equal ones there is one tuple."""
        found = self._shared.get(key)
        if found is None:
            found = self._shared[key] = read()
        return found


def _seats(
    connection: Connection, condition: ColumnElement[bool], most: int
) -> dict[int, list[Any]]:
    """The seats of the games that meet a condition, in order, by game.

    A row is the game's number, its points, milliseconds, actions asked for. `most` is the number of
    seats of a game: with each named, the database finds those of a game instead of reading all.
    """
    columns = (seats.c.game, seats.c.points, seats.c.cpu_ms, seats.c.asked)
    taken = (
        select(*columns)
        .join(games, (games.c.lineup == seats.c.lineup) & (games.c.number == seats.c.game))
        .where(condition)
        .where(seats.c.seat.in_(range(most)))
        .order_by(seats.c.seat)
    )
    of_game: dict[int, list[Any]] = defaultdict(list)
    for seat in connection.execute(taken):
        of_game[seat[0]].append(seat)
    return of_game


def _lineups(connection: Connection) -> dict[int, Lineup]:
    return {
        row.number: Lineup(
            names_in(row.number, "members", row.members),
            names_in(row.number, "bots", row.bots),
            row.map,
        )
        for row in connection.execute(select(lineups))
    }


class Listed(NamedTuple):
    """A game as lists show it. Sequences are by seat."""

    number: int  # in the order of arrival
    identity: str
    bots: tuple[str, ...]
    map: str  # its name, "" where none was named
    returns: tuple[float, ...]
    points: tuple[int, ...]
    plies: int
    ending: str
    faults: list[dict[str, Any]]  # as a StoredGame's
    played_at: str  # ISO 8601, UTC


def listed(
    connection: Connection, bots: Sequence[str], before: int | None, count: int
) -> list[Listed]:
    """So many games in which all of `bots` play, from below the number `before` on."""
    query = (
        select(games, lineups.c.bots, lineups.c.map)
        .join(lineups, lineups.c.number == games.c.lineup, isouter=True)
        .where(*_with(connection, bots))
        .order_by(games.c.number.desc())
        .limit(count)
    )
    if before is not None:
        query = query.where(games.c.number < before)
    rows = connection.execute(query).all()
    points = _points(connection, {row.number: row.lineup for row in rows})
    return [_listed(row, points[row.number]) for row in rows]


def _listed(row: Row[Any], points: Sequence[int]) -> Listed:
    number, bots = row.number, names_in(row.lineup, "bots", row.bots)
    check_counts(number, ("plies", *["points"] * len(points)), (row.plies, *points))
    texts = ("identity", "ending", "played_at")
    check_texts("games", number, texts, [getattr(row, name) for name in texts])
    if len(points) != len(bots):
        counts = Sentence("error.store.seats_found", found=len(points))
        raise DamagedError("games", number, "lineup", counts)
    return Listed(
        number=number,
        identity=row.identity,
        bots=bots,
        map=row.map,
        returns=numbers_in(number, "returns", row.returns, len(bots)),
        points=tuple(points),
        plies=row.plies,
        ending=row.ending,
        faults=faults_in(number, row.faults, len(bots)),
        played_at=row.played_at,
    )


def how_many(connection: Connection, bots: Sequence[str]) -> int:
    """The number of games in which all of `bots` play."""
    query = select(func.count(games.c.number)).where(*_with(connection, bots))
    return connection.scalar(query) or 0


def _with(connection: Connection, bots: Sequence[str]) -> list[ColumnElement[bool]]:
    """The condition that all of `bots` play in a game."""
    if not bots:
        return []
    rows = connection.execute(select(lineups.c.number, lineups.c.members))
    wanted = set(map(composed, bots))
    members = ((number, names_in(number, "members", text)) for number, text in rows)
    return [
        games.c.lineup.in_(
            [number for number, each in members if wanted <= set(map(composed, each))]
        )
    ]


def _points(connection: Connection, lineup_of: dict[int, int]) -> dict[int, list[int]]:
    """The points of each seat of these games, by the game's number."""
    found: dict[int, list[int]] = {number: [] for number in lineup_of}
    query = (
        select(seats.c.game, seats.c.points)
        .where(seats.c.lineup.in_(set(lineup_of.values())), seats.c.game.in_(lineup_of))
        .order_by(seats.c.seat)
    )
    for game, points in connection.execute(query):
        found[game].append(points)
    return found
