"""The tables of a contest's database, and the version of their layout.

`meta` says which layout this is. `contest` has a row for every configuration the folder has
known, the last one being in force. `games` has one row a game, keyed by the game's identity, so
that a game counts once however often it is handed in.
"""

from sqlalchemy import JSON, Column, Integer, MetaData, String, Table, Text

LAYOUT_VERSION = 2  # raised when a table changes in a way that older code cannot read

FROM_LAYOUT_1 = (
    "ALTER TABLE games RENAME COLUMN pairing TO members",
    "ALTER TABLE games RENAME COLUMN pair TO set_number",
    "ALTER TABLE games ADD COLUMN map TEXT NOT NULL DEFAULT ''",
)
"""What makes the tables of layout 1 those of layout 2."""

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)

contest = Table(
    "contest",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("configuration", Text, nullable=False),  # JSON, every key resolved
    Column("seed", Text, nullable=False),
)

games = Table(
    "games",
    metadata,
    Column("identity", String(64), primary_key=True),
    Column("members", JSON, nullable=False),  # the names of the bots, in alphabetical order
    Column("set_number", Integer, nullable=False),  # which set of these bots' games, from 0
    Column("map", Text, nullable=False),  # its name, "" where none was named
    Column("bots", JSON, nullable=False),  # names in seat order
    Column("ending", String(32), nullable=False),
    Column("returns", JSON, nullable=False),  # one number a seat
    Column("points", JSON, nullable=False),  # one int a seat
    Column("plies", Integer, nullable=False),
    Column("faults", JSON, nullable=False),  # objects: seat, ply, fault, detail, cost
    Column("cpu_ms", JSON, nullable=False),  # milliseconds in all, one a seat
    Column("asked", JSON, nullable=False),  # how many actions were asked for, one a seat
    Column("chain", String(128), nullable=False),  # hash carried by the record's last line
    Column("record", Text, nullable=False),  # file name in the folder of records
    Column("played_at", String(32), nullable=False),  # ISO 8601, UTC
)
