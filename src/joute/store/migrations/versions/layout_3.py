"""Layout 3: line-ups and seats in tables of their own, records in the database, marks.

The records of the games there are stay the files they are.
"""

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"

_BATCH = 1000  # games copied at once


def upgrade() -> None:
    """Changes the tables of layout 2."""
    op.execute("UPDATE meta SET value = '3' WHERE key = 'layout'")
    op.rename_table("games", "games_2")
    tables = _make_tables()
    _copy_games(tables)
    op.drop_table("games_2")


def _make_tables() -> dict[str, sa.Table]:
    lineups = op.create_table(
        "lineups",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("members", sa.Text, nullable=False),
        sa.Column("bots", sa.Text, nullable=False),
        sa.Column("map", sa.Text, nullable=False),
        sa.UniqueConstraint("members", "bots", "map", name="lineups_once"),
    )
    games = op.create_table(
        "games",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("identity", sa.String(64), nullable=False),
        sa.Column("lineup", sa.Integer, nullable=False),
        sa.Column("set_number", sa.Integer, nullable=False),
        sa.Column("ending", sa.String(32), nullable=False),
        sa.Column("returns", sa.Text, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("faults", sa.Text, nullable=False),
        sa.Column("chain", sa.String(128), nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("played_at", sa.String(32), nullable=False),
        sa.Column("isolation", sa.Text, nullable=False),
        sa.UniqueConstraint("identity", name="games_once"),
    )
    op.create_index("games_by_outcome", "games", ["lineup", "returns"])
    seats = op.create_table(
        "seats",
        sa.Column("lineup", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.SmallInteger, primary_key=True, autoincrement=False),
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("cpu_ms", sa.Float(53), nullable=False),
        sa.Column("asked", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "records",
        sa.Column("game", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "marks",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("subject", sa.Text, nullable=False),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("made_at", sa.String(32), nullable=False),
    )
    return {table.name: table for table in (lineups, games, seats)}


def _copy_games(tables: dict[str, sa.Table]) -> None:
    numbers: dict[tuple[str, str, str], int] = {}
    seen = 0
    for batch in _batches():
        games: list[dict[str, Any]] = []
        seats: list[dict[str, Any]] = []
        for row in batch:
            key = (_text(row["members"]), _text(row["bots"]), row["map"])
            lineup = numbers.setdefault(key, len(numbers) + 1)
            seen += 1
            games.append(_game(row, seen, lineup))
            seats += _seats(row, seen, lineup)
        op.bulk_insert(tables["games"], games)
        op.bulk_insert(tables["seats"], seats)
    lineups = [
        {"number": number, "members": members, "bots": bots, "map": map_name}
        for (members, bots, map_name), number in numbers.items()
    ]
    op.bulk_insert(tables["lineups"], lineups)


def _batches() -> Iterator[list[dict[str, Any]]]:
    lists = ("members", "bots", "returns", "points", "faults", "cpu_ms", "asked")
    others = ("identity", "set_number", "map", "ending", "plies", "chain", "record", "played_at")
    columns = [sa.column(name, sa.JSON) for name in lists] + [sa.column(name) for name in others]
    old = sa.table("games_2", *columns)
    last = ""
    while True:
        query = sa.select(old).where(old.c.identity > last).order_by(old.c.identity).limit(_BATCH)
        batch = [dict(row) for row in op.get_bind().execute(query).mappings()]
        if not batch:
            return
        yield batch
        last = batch[-1]["identity"]


def _game(row: dict[str, Any], number: int, lineup: int) -> dict[str, Any]:
    same = ("identity", "set_number", "ending", "plies", "chain", "record", "played_at")
    faults = _text(row["faults"]) if row["faults"] else ""
    made = {"number": number, "lineup": lineup, "returns": _text(row["returns"]), "faults": faults}
    return {**made, "isolation": "[]", **{name: row[name] for name in same}}


def _seats(row: dict[str, Any], number: int, lineup: int) -> list[dict[str, Any]]:
    return [
        {
            "lineup": lineup,
            "seat": seat,
            "game": number,
            "points": points,
            "cpu_ms": cpu_ms,
            "asked": asked,
        }
        for seat, (points, cpu_ms, asked) in enumerate(
            zip(row["points"], row["cpu_ms"], row["asked"], strict=True)
        )
    ]


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
