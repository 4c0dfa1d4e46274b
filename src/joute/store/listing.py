"""Games one page at a time, the newest first: all of them, or those of certain bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, func, select

from joute.store.tables import games, lineups, seats
from joute.store.texts import faults_of, tuple_of


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
    faults: list[dict[str, Any]]  # as a Game's
    played_at: str  # ISO 8601, UTC


def listed(
    connection: Connection, bots: Sequence[str], before: int | None, count: int
) -> list[Listed]:
    """So many games in which all of `bots` play, from below the number `before` on."""
    query = (
        select(games, lineups.c.bots, lineups.c.map)
        .join(lineups, lineups.c.number == games.c.lineup)
        .where(*_with(connection, bots))
        .order_by(games.c.number.desc())
        .limit(count)
    )
    if before is not None:
        query = query.where(games.c.number < before)
    rows = connection.execute(query).all()
    points = _points(connection, {row.number: row.lineup for row in rows})
    return [
        Listed(
            number=row.number,
            identity=row.identity,
            bots=tuple_of(row.bots),
            map=row.map,
            returns=tuple_of(row.returns),
            points=tuple(points[row.number]),
            plies=row.plies,
            ending=row.ending,
            faults=faults_of(row.faults),
            played_at=row.played_at,
        )
        for row in rows
    ]


def how_many(connection: Connection, bots: Sequence[str]) -> int:
    """How many games there are in which all of `bots` play."""
    query = select(func.count(games.c.number)).where(*_with(connection, bots))
    return connection.scalar(query) or 0


def _with(connection: Connection, bots: Sequence[str]) -> list[ColumnElement[bool]]:
    """What is true of the games in which all of `bots` play."""
    if not bots:
        return []
    rows = connection.execute(select(lineups.c.number, lineups.c.members))
    wanted = set(bots)
    return [games.c.lineup.in_([row[0] for row in rows if wanted <= set(tuple_of(row[1]))])]


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
