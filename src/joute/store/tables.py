"""The tables of a contest's database, and the version of their layout.

`meta` says which layout this is. `contest` has a row for every configuration the folder has
known, with the contents of the bots at that time; the last one is in force.

A game is a row of `games`, known from outside by its identity, so that it counts once however often
it is handed in, and from inside by its number. What many games share, who sits where on which map,
is a row of `lineups`. What each seat of a game came to is a row of `seats`, kept in the order of
the line-ups: sums over a contest read it from end to end. `records` has the games' records,
compressed. `marks` tells which games and bots people have taken out, and put back; `notes` what the
program has to say itself of what happened to the store. No row of any table is ever deleted, and
`links` chains those of `contest`, `games` (with line-up and seats), `marks` and `notes` to one
another, see joute.store.links.

Lists and objects are JSON in a column of text.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Dialect,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    insert,
    inspect,
    select,
    text,
)

from joute.i18n.words import Sentence
from joute.store.model import StoreError

LAYOUT_VERSION = 4  # the last of store/migrations/versions, whose tables are these

metadata = MetaData()


class Blob(TypeDecorator[bytes]):
    """Bytes, handed over as they stand there: what a hand has put there may be something else."""

    impl = LargeBinary
    cache_ok = True

    def result_processor(self, dialect: Dialect, coltype: object) -> None:
        """Nothing is done to what is read."""


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
    # The hash of each bot's files, and when it came into force, ISO 8601, UTC; "" if unknown.
    Column("contents", Text, nullable=False, server_default=text("''")),
    Column("made_at", String(32), nullable=False, server_default=text("''")),
)

lineups = Table(
    "lineups",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("members", Text, nullable=False),  # the names of the bots, in alphabetical order
    Column("bots", Text, nullable=False),  # their names in seat order
    Column("map", Text, nullable=False),  # its name, "" where none was named
    UniqueConstraint("members", "bots", "map", name="lineups_once"),
)

games = Table(
    "games",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),  # in the order of arrival
    Column("identity", String(64), nullable=False),
    Column("lineup", Integer, nullable=False),
    Column("set_number", Integer, nullable=False),  # which set of these bots' games, from 0
    Column("ending", String(32), nullable=False),
    Column("returns", Text, nullable=False),  # one number a seat
    Column("plies", Integer, nullable=False),
    Column("faults", Text, nullable=False),  # objects, see StoredGame; "" where there are none
    Column("chain", String(128), nullable=False),  # hash carried by the record's last line
    Column("record", Text, nullable=False),  # the record's name, "" if none was kept
    Column("played_at", String(32), nullable=False),  # ISO 8601, UTC
    Column("isolation", Text, nullable=False),  # what held each bot, by seat; empty if unknown
    UniqueConstraint("identity", name="games_once"),
    Index("games_by_outcome", "lineup", "returns"),  # counts games without reading them
)

seats = Table(
    "seats",
    metadata,
    Column("lineup", Integer, primary_key=True, autoincrement=False),
    Column("seat", SmallInteger, primary_key=True, autoincrement=False),
    Column("game", Integer, primary_key=True, autoincrement=False),  # its number
    Column("points", BigInteger, nullable=False),
    Column("cpu_ms", Float(53), nullable=False),  # milliseconds in all
    Column("asked", Integer, nullable=False),  # how many actions were asked for
    sqlite_with_rowid=False,
)

records = Table(
    "records",
    metadata,
    Column("game", Integer, primary_key=True, autoincrement=False),  # its number
    Column("content", Blob, nullable=False),  # a Zstandard frame of JSON Lines
)

marks = Table(
    "marks",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),  # the last one counts
    Column("kind", String(16), nullable=False),
    Column("subject", Text, nullable=False),  # a game's identity or a bot's name
    Column("who", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("made_at", String(32), nullable=False),  # ISO 8601, UTC
)

notes = Table(
    "notes",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(32), nullable=False),  # see joute.store.model
    Column("content", Text, nullable=False),  # JSON
    Column("made_at", String(32), nullable=False),  # ISO 8601, UTC
)

links = Table(
    "links",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),  # from 1, without gaps
    Column("kind", String(16), nullable=False),  # of row, see joute.store.links
    Column("row", Integer, nullable=False),  # its number in its own table
    Column("link", Blob, nullable=False),  # 16 bytes
)


_SINCE_4 = ("links", "notes")
_OURS = ("contest", "games", *_SINCE_4)
_MIGRATIONS = Path(__file__).with_name("migrations")


def layout_of(connection: Connection, name: str) -> str | None:
    """The layout of the database `name` as it stands, None if it has no tables of ours.

    Raises StoreError for tables that do not say which layout they are of.
    """
    known = inspect(connection)
    if not known.has_table(meta.name):
        if any(known.has_table(name) for name in _OURS):
            raise StoreError(Sentence("error.store.no_meta", store=name, table=meta.name))
        return None
    found = connection.scalar(select(meta.c.value).where(meta.c.key == "layout"))
    if found is None:
        raise StoreError(Sentence("error.store.no_layout", store=name, table=meta.name))
    return str(found)


def bring_up(connection: Connection, name: str) -> None:
    """Makes the tables of a new database, or those of an older layout this one's.

    Runs in a transaction of its caller's, as a whole or not at all. Raises StoreError, with the
    database's `name`, for a layout of the future.
    """
    found = layout_of(connection, name)
    if found is None:
        metadata.create_all(connection)
        connection.execute(insert(meta).values(key="layout", value=str(LAYOUT_VERSION)))
    elif found in map(str, range(1, LAYOUT_VERSION)):
        newer = [table for table in _SINCE_4 if inspect(connection).has_table(table)]
        if newer:
            facts = {"store": name, "layout": found, "table": newer[0]}
            raise StoreError(Sentence("error.store.mixed", **facts))
        migrate(connection, found, str(LAYOUT_VERSION))
    elif found != str(LAYOUT_VERSION):
        facts = {"store": name, "layout": found}
        raise StoreError(Sentence("error.store.layout", **facts, known=LAYOUT_VERSION))


def migrate(connection: Connection, found: str | None, wanted: str) -> None:
    """Changes the tables of layout `found` (None: there are none) into those of a later one."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.stamp(config, found or "base")
    command.upgrade(config, wanted)
