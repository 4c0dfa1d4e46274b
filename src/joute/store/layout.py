"""The layout of a database's tables: made in a new one, brought up to date in an older one.

The number in `meta` tells the layout, for this version and for older ones, which refuse a layout
they do not know. The steps from one to the next are Alembic's, one file each in `migrations`.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, insert, inspect, select

from joute.i18n.words import Sentence
from joute.store.errors import StoreError
from joute.store.tables import LAYOUT_VERSION, meta, metadata

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
    """Make the tables of a new database, or those of an older layout this one's.

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
    """Change the tables of layout `found` (None: there are none) into those of a later one."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.stamp(config, found or "base")
    command.upgrade(config, wanted)
