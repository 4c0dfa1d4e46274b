"""How games are read: whole, as results, or added up by the database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, select

from joute.store.game import Game, Lineup, Result, SeatSum, Tally
from joute.store.tables import games, lineups, seats
from joute.store.texts import faults_of, tuple_of


def games_at(connection: Connection, last: int, count: int) -> list[tuple[int, Game]]:
    """So many whole games with their numbers, from the one after number `last` on."""
    query = (
        select(games, lineups.c.members, lineups.c.bots, lineups.c.map)
        .join(lineups, lineups.c.number == games.c.lineup)
        .where(games.c.number > last)
        .order_by(games.c.number)
        .limit(count)
    )
    rows = connection.execute(query).all()
    if not rows:
        return []
    # With every seat named, the database finds the seats of a game instead of reading them all.
    most = max(len(tuple_of(row.bots)) for row in rows)
    taken = (
        select(seats)
        .join(games, (games.c.lineup == seats.c.lineup) & (games.c.number == seats.c.game))
        .where(games.c.number.between(rows[0].number, rows[-1].number))
        .where(seats.c.seat.in_(range(most)))
        .order_by(seats.c.seat)
    )
    of_game: dict[int, list[Row[Any]]] = defaultdict(list)
    for seat in connection.execute(taken):
        of_game[seat.game].append(seat)
    return [(row.number, _game(row, of_game[row.number])) for row in rows]


def _game(row: Row[Any], taken: Sequence[Row[Any]]) -> Game:
    return Game(
        identity=row.identity,
        members=list(tuple_of(row.members)),
        set_number=row.set_number,
        map=row.map,
        bots=list(tuple_of(row.bots)),
        ending=row.ending,
        returns=list(tuple_of(row.returns)),
        points=[seat.points for seat in taken],
        plies=row.plies,
        faults=faults_of(row.faults),
        cpu_ms=[seat.cpu_ms for seat in taken],
        asked=[seat.asked for seat in taken],
        chain=row.chain,
        record=row.record,
        played_at=row.played_at,
    )


def read_results() -> Callable[[Connection, int, int], list[tuple[int, Result]]]:
    """A reader of results, page by page as `games_at`; equal parts of theirs are one object."""
    known: dict[int, Lineup] = {}
    shared: dict[str, tuple[float, ...]] = {}
    columns = (
        games.c.number,
        games.c.identity,
        games.c.lineup,
        games.c.set_number,
        games.c.returns,
        games.c.faults,
    )
    query = select(*columns).order_by(games.c.number)

    def read(connection: Connection, last: int, count: int) -> list[tuple[int, Result]]:
        page = connection.execute(query.where(games.c.number > last).limit(count)).all()
        if any(row[2] not in known for row in page):
            known.update(_lineups(connection))
        found = []
        for number, identity, lineup, set_number, text, faults in page:
            returns = shared.get(text)
            if returns is None:
                returns = shared[text] = tuple_of(text)
            result = Result(identity, known[lineup], set_number, returns, faults_of(faults))
            found.append((number, result))
        return found

    return read


def read_tallies(connection: Connection, annulled: Sequence[str]) -> list[Tally]:
    """All games added up by line-up, without the annulled ones."""
    known = _lineups(connection)
    without = list(
        connection.scalars(select(games.c.number).where(games.c.identity.in_(list(annulled))))
    )
    outcomes: dict[int, dict[tuple[float, ...], int]] = defaultdict(dict)
    counts = (
        select(games.c.lineup, games.c.returns, func.count())
        .where(games.c.number.not_in(without))
        .group_by(games.c.lineup, games.c.returns)
    )
    for lineup, returns, count in connection.execute(counts):
        outcomes[lineup][tuple_of(returns)] = count
    sums: dict[int, list[SeatSum]] = defaultdict(list)
    added = (
        select(
            seats.c.lineup,
            func.sum(seats.c.points),
            func.max(seats.c.points),
            func.sum(seats.c.cpu_ms),
            func.sum(seats.c.asked),
        )
        .where(seats.c.game.not_in(without))
        .group_by(seats.c.lineup, seats.c.seat)
        .order_by(seats.c.lineup, seats.c.seat)
    )
    for lineup, points, most, cpu_ms, asked in connection.execute(added):
        sums[lineup].append(SeatSum(int(points), most, cpu_ms, int(asked)))
    found = [
        Tally(known[lineup], sum(each.values()), each, tuple(sums[lineup]))
        for lineup, each in outcomes.items()
    ]
    return sorted(found, key=lambda tally: tally.lineup)


def _lineups(connection: Connection) -> dict[int, Lineup]:
    return {
        row.number: Lineup(tuple_of(row.members), tuple_of(row.bots), row.map)
        for row in connection.execute(select(lineups))
    }
