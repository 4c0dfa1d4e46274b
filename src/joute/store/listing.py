"""Games one page at a time, the newest first: all of them, or those of certain bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, func, select

from joute.i18n.words import Sentence
from joute.store.errors import DamagedError
from joute.store.sanity import (
    check_counts,
    check_texts,
    faults_in,
    names_in,
    numbers_in,
)
from joute.store.tables import games, lineups, seats


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
    """How many games there are in which all of `bots` play."""
    query = select(func.count(games.c.number)).where(*_with(connection, bots))
    return connection.scalar(query) or 0


def _with(connection: Connection, bots: Sequence[str]) -> list[ColumnElement[bool]]:
    """What is true of the games in which all of `bots` play."""
    if not bots:
        return []
    rows = connection.execute(select(lineups.c.number, lineups.c.members))
    wanted = set(bots)
    members = ((number, names_in(number, "members", text)) for number, text in rows)
    return [games.c.lineup.in_([number for number, each in members if wanted <= set(each)])]


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
