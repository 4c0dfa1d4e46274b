"""Layout 1: one row a game, its lists as JSON."""

from alembic import op
from sqlalchemy import JSON, Column, Integer, String, Text

revision = "1"
down_revision = None


def upgrade() -> None:
    """Makes the tables in a database that has none."""
    meta = op.create_table(
        "meta",
        Column("key", String(64), primary_key=True),
        Column("value", Text, nullable=False),
    )
    op.bulk_insert(meta, [{"key": "layout", "value": "1"}])
    op.create_table(
        "contest",
        Column("number", Integer, primary_key=True, autoincrement=True),
        Column("configuration", Text, nullable=False),
        Column("seed", Text, nullable=False),
    )
    op.create_table(
        "games",
        Column("identity", String(64), primary_key=True),
        Column("pairing", JSON, nullable=False),
        Column("pair", Integer, nullable=False),
        Column("bots", JSON, nullable=False),
        Column("ending", String(32), nullable=False),
        Column("returns", JSON, nullable=False),
        Column("points", JSON, nullable=False),
        Column("plies", Integer, nullable=False),
        Column("faults", JSON, nullable=False),
        Column("cpu_ms", JSON, nullable=False),
        Column("asked", JSON, nullable=False),
        Column("chain", String(128), nullable=False),
        Column("record", Text, nullable=False),
        Column("played_at", String(32), nullable=False),
    )
