"""How games are written. Whoever calls has a transaction, and nobody else writes meanwhile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, func, insert, select

from joute.store.chaining import Appender
from joute.store.decisions import Decision
from joute.store.game import Game
from joute.store.links import GAME, MARK
from joute.store.tables import games, lineups, marks, records, seats
from joute.store.texts import faults_text, text_of

_FIGURES = ("points", "cpu_ms", "asked")  # of a seat
_SAME = ("identity", "set_number", "ending", "plies", "chain", "record", "played_at")


def add(connection: Connection, batch: Sequence[Game], packed: Mapping[str, bytes]) -> int:
    """Write the games that are not there yet, and their records; returns how many those were."""
    new = _new(connection, batch)
    if not new:
        return 0
    first = (connection.scalar(select(func.max(games.c.number))) or 0) + 1
    numbered = list(enumerate(new, first))
    places = _lineups(connection, new)
    rows = [_row(game, number, places[_key(game)]) for number, game in numbered]
    connection.execute(insert(games), rows)
    both = list(zip(new, rows, strict=True))
    taken = [_seats(game, row["number"], row["lineup"]) for game, row in both]
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


def decide(connection: Connection, made: Decision) -> None:
    """Write a decision."""
    number = (connection.scalar(select(func.max(marks.c.number))) or 0) + 1
    connection.execute(insert(marks).values(number=number, **msgspec.structs.asdict(made)))
    appender = Appender(connection)
    appender.add(MARK, number, msgspec.structs.asdict(made))
    appender.write()


def note(connection: Connection, notes: Sequence[Decision]) -> None:
    """Write decisions, but those that are there word for word: handed in twice, they count once."""
    for each in notes:
        same = [marks.c[name] == value for name, value in msgspec.structs.asdict(each).items()]
        if connection.scalar(select(marks.c.number).where(*same)) is None:
            decide(connection, each)


def _new(connection: Connection, batch: Sequence[Game]) -> list[Game]:
    """The games of a batch that are not kept, each once, the first time."""
    first: dict[str, Game] = {}
    for game in batch:
        first.setdefault(game.identity, game)
    known = set(
        connection.scalars(select(games.c.identity).where(games.c.identity.in_(list(first))))
    )
    return [game for identity, game in first.items() if identity not in known]


def _lineups(connection: Connection, batch: Iterable[Game]) -> dict[tuple[str, str, str], int]:
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


def _key(game: Game) -> tuple[str, str, str]:
    return text_of(game.members), text_of(game.bots), game.map


def _row(game: Game, number: int, lineup: int) -> dict[str, Any]:
    return {
        "number": number,
        "lineup": lineup,
        "returns": text_of(game.returns),
        "faults": faults_text(game.faults),
        "isolation": text_of(game.isolation),
        **{name: getattr(game, name) for name in _SAME},
    }


def _seats(game: Game, number: int, lineup: int) -> list[dict[str, Any]]:
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
