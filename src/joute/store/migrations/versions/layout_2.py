"""Layout 2: groups of more than two bots, and maps."""

from alembic import op
from sqlalchemy import Column, Text

revision = "2"
down_revision = "1"


def upgrade() -> None:
    """Changes the tables of layout 1."""
    op.execute("UPDATE meta SET value = '2' WHERE key = 'layout'")
    op.alter_column("games", "pairing", new_column_name="members")
    op.alter_column("games", "pair", new_column_name="set_number")
    op.add_column("games", Column("map", Text, nullable=False, server_default=""))
