"""How games are read: whole, as results, or added up by the database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, select

from joute.store.game import Game, Lineup, Result, SeatSum, Tally
from joute.store.sanity import (
    check_counts,
    check_seats,
    check_texts,
    damaged,
    faults_in,
    names_in,
    numbers_in,
    words_in,
)
from joute.store.tables import games, lineups, seats
from joute.store.texts import tuple_of

ResultRow = tuple[int, Sequence[Any], Sequence[Sequence[Any]]]
"""A game's number, its row, and the rows of its seats."""


def games_at(connection: Connection, last: int, count: int) -> list[tuple[int, Game]]:
    """So many whole games with their numbers, from the one after number `last` on."""
    query = (
        select(games, lineups.c.members, lineups.c.bots, lineups.c.map)
        .join(lineups, lineups.c.number == games.c.lineup, isouter=True)
        .where(games.c.number > last)
        .order_by(games.c.number)
        .limit(count)
    )
    rows = connection.execute(query).all()
    if not rows:
        return []
    bots = [names_in(row.lineup, "bots", row.bots) for row in rows]
    of_game = _seats_between(connection, rows[0].number, rows[-1].number, max(map(len, bots)))
    return [
        (row.number, _game(row, each, of_game[row.number]))
        for row, each in zip(rows, bots, strict=True)
    ]


def _game(row: Row[Any], bots: tuple[str, ...], taken: Sequence[Row[Any]]) -> Game:
    number, seats = row.number, len(bots)
    check_seats(number, [seat[1:] for seat in taken], seats)
    texts = ("identity", "ending", "chain", "record", "played_at")
    check_texts("games", number, texts, [getattr(row, name) for name in texts])
    check_counts(number, (row.set_number, row.plies))
    return Game(
        identity=row.identity,
        members=list(names_in(row.lineup, "members", row.members)),
        set_number=row.set_number,
        map=row.map,
        bots=list(bots),
        ending=row.ending,
        returns=list(numbers_in(number, "returns", row.returns, seats)),
        points=[seat.points for seat in taken],
        plies=row.plies,
        faults=faults_in(number, row.faults, seats),
        cpu_ms=[seat.cpu_ms for seat in taken],
        asked=[seat.asked for seat in taken],
        chain=row.chain,
        record=row.record,
        played_at=row.played_at,
        isolation=list(words_in(number, "isolation", row.isolation)),
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
                raise damaged("games", row[0], f"there is no line-up {row[2]!r}")
        most = max(len(self._known[row[2]].bots) for row in rows)
        taken = _seats_between(connection, rows[0][0], rows[-1][0], most)
        return [(row[0], row, taken.get(row[0], ())) for row in rows]

    def result(self, found: ResultRow) -> Result:
        """The result that a row of a page holds. Raises StoreError if it is not as we write it."""
        _, (number, identity, lineup, set_number, returns, faults, isolation), taken = found
        at = self._known[lineup]
        seats = len(at.bots)
        check_seats(number, [seat[1:] for seat in taken], seats)
        if not isinstance(identity, str) or type(set_number) is not int:
            raise damaged("games", number, f"{(identity, set_number)!r} are no identity and set")
        return Result(
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


def _seats_between(
    connection: Connection, first: int, last: int, most: int
) -> dict[int, list[Any]]:
    """The seats of the games numbered `first` to `last`, in order, by game.

    A row is the game's number, its points, milliseconds, actions asked for. `most` is the number of
    seats of a game: with each named, the database finds those of a game instead of reading all.
    """
    columns = (seats.c.game, seats.c.points, seats.c.cpu_ms, seats.c.asked)
    taken = (
        select(*columns)
        .join(games, (games.c.lineup == seats.c.lineup) & (games.c.number == seats.c.game))
        .where(games.c.number.between(first, last))
        .where(seats.c.seat.in_(range(most)))
        .order_by(seats.c.seat)
    )
    of_game: dict[int, list[Any]] = defaultdict(list)
    for seat in connection.execute(taken):
        of_game[seat[0]].append(seat)
    return of_game


def read_tallies(connection: Connection, annulled: Sequence[str]) -> list[Tally]:
    """All games added up by line-up, without the annulled ones."""
    known = _lineups(connection)
    query = select(games.c.number).where(games.c.identity.in_(annulled))
    without = list(connection.scalars(query)) if annulled else []
    outcomes = _outcomes(connection, without)
    sums = _sums(connection, without)
    found = [
        Tally(known[lineup], sum(each.values()), each, tuple(sums[lineup]))
        for lineup, each in outcomes.items()
    ]
    return sorted(found, key=lambda tally: tally.lineup)


def _outcomes(
    connection: Connection, without: Sequence[int]
) -> dict[int, dict[tuple[float, ...], int]]:
    """How many games had which returns, by line-up."""
    found: dict[int, dict[tuple[float, ...], int]] = defaultdict(dict)
    query = select(games.c.lineup, games.c.returns, func.count())
    if without:
        query = query.where(games.c.number.not_in(without))
    for lineup, text, count in connection.execute(query.group_by(games.c.lineup, games.c.returns)):
        found[lineup][tuple_of(text)] = count
    return found


def _sums(connection: Connection, without: Sequence[int]) -> dict[int, list[SeatSum]]:
    """What the seats of each line-up came to."""
    found: dict[int, list[SeatSum]] = defaultdict(list)
    each = seats.c
    most = func.max(each.points)
    query = select(
        each.lineup, func.sum(each.points), most, func.sum(each.cpu_ms), func.sum(each.asked)
    )
    if without:
        query = query.where(each.game.not_in(without))
    query = query.group_by(each.lineup, each.seat).order_by(each.lineup, each.seat)
    for lineup, points, best, cpu_ms, asked in connection.execute(query):
        found[lineup].append(SeatSum(int(points), best, cpu_ms, int(asked)))
    return found


def _lineups(connection: Connection) -> dict[int, Lineup]:
    return {
        row.number: Lineup(
            names_in(row.number, "members", row.members),
            names_in(row.number, "bots", row.bots),
            row.map,
        )
        for row in connection.execute(select(lineups))
    }
