"""Layout 4: rows are chained, the bots' contents go with each configuration, and there are notes.

The rows there are come in the order of their tables; a note says that they were chained afterwards.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

from joute.store.links import BEGINNING, CONFIGURATION, GAME, MARK, NOTE, VALUES, after
from joute.store.model import CHAINED

revision = "4"
down_revision = "3"

_BATCH = 5000  # rows chained at once
_FIGURES = ("points", "cpu_ms", "asked")  # of a seat

Row = tuple[str, int, dict[str, Any]]  # kind, number, values


def upgrade() -> None:
    """Changes the tables of layout 3."""
    op.execute("UPDATE meta SET value = '4' WHERE key = 'layout'")
    for name, kind in (("contents", sa.Text), ("made_at", sa.String(32))):
        op.add_column("contest", sa.Column(name, kind, nullable=False, server_default=""))
    notes = op.create_table(
        "notes",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("made_at", sa.String(32), nullable=False),
    )
    op.create_table(
        "links",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("row", sa.Integer, nullable=False),
        sa.Column("link", sa.LargeBinary, nullable=False),
    )
    chain = _Chain()
    for rows in (_plain("contest", CONFIGURATION), _games(), _plain("marks", MARK)):
        for batch in rows:
            chain.add(batch)
    if chain.number:
        content = json.dumps({"rows": chain.number, "layout": "3"}, separators=(",", ":"))
        now = datetime.now(UTC).isoformat(timespec="seconds")
        note = {"kind": CHAINED, "content": content, "made_at": now}
        op.bulk_insert(notes, [{"number": 1, **note}])
        chain.add([(NOTE, 1, note)])


class _Chain:
    """The links that are written."""

    def __init__(self) -> None:
        self.number = 0
        self._link = BEGINNING
        names = ("number", "kind", "row", "link")
        self._table = sa.table("links", *(sa.column(name) for name in names))

    def add(self, batch: list[Row]) -> None:
        """Writes the links of some rows."""
        written = []
        for kind, row, values in batch:
            self.number += 1
            self._link = after(self._link, kind, row, values)
            link = {"number": self.number, "kind": kind, "row": row, "link": self._link}
            written.append(link)
        op.get_bind().execute(sa.insert(self._table), written)


def _batches(table: str, columns: tuple[str, ...]) -> Iterator[list[dict[str, Any]]]:
    found = sa.table(table, sa.column("number"), *(sa.column(name) for name in columns))
    last = 0
    while True:
        query = sa.select(found).where(found.c.number > last).order_by(found.c.number)
        batch = [dict(row) for row in op.get_bind().execute(query.limit(_BATCH)).mappings()]
        if not batch:
            return
        yield batch
        last = batch[-1]["number"]


def _plain(table: str, kind: str) -> Iterator[list[Row]]:
    for batch in _batches(table, VALUES[kind]):
        yield [(kind, row["number"], {name: row[name] for name in VALUES[kind]}) for row in batch]


def _games() -> Iterator[list[Row]]:
    theirs = ("members", "bots", "map")  # of the line-up
    lineups = {row["number"]: row for batch in _batches("lineups", theirs) for row in batch}
    most = max((row["bots"].count(",") + 1 for row in lineups.values()), default=0)  # or fewer
    own = tuple(name for name in VALUES[GAME] if name not in (*theirs, "seats"))
    for batch in _batches("games", own):
        taken = _seats(batch[0]["number"], batch[-1]["number"], most)
        for row in batch:
            lineup = lineups.get(row["lineup"], {})
            row.update({name: lineup.get(name) for name in theirs})
            row["seats"] = taken[row["number"]]
        yield [(GAME, row["number"], {name: row[name] for name in VALUES[GAME]}) for row in batch]


def _seats(first: int, last: int, most: int) -> dict[int, list[list[Any]]]:
    """The seats of the games of these numbers, by game; none of them has more than `most`."""
    seats = sa.table("seats", *map(sa.column, ("game", "lineup", "seat", *_FIGURES)))
    games = sa.table("games", sa.column("number"), sa.column("lineup"))
    query = (
        sa.select(seats.c.game, seats.c.seat, *(seats.c[name] for name in _FIGURES))
        .join(games, (games.c.lineup == seats.c.lineup) & (games.c.number == seats.c.game))
        .where(games.c.number.between(first, last))
        .where(seats.c.seat.in_(range(most)))  # with each named, the database finds those wanted
        .order_by(seats.c.seat)
    )
    found: dict[int, list[list[Any]]] = defaultdict(list)
    for game, *seat in op.get_bind().execute(query):
        found[game].append(seat)
    return found
