"""A contest's results in a database: opened by URL, written in whole transactions.

One process at a time writes (the contest's coordinator). A batch of games is one transaction:
after a kill at any moment a batch is there whole or not at all, and a game handed in twice
counts once, the first time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path
from types import TracebackType
from typing import Any

from sqlalchemy import create_engine, event, insert, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DatabaseError

from joute.store.game import Game
from joute.store.tables import FROM_LAYOUT_1, LAYOUT_VERSION, contest, games, meta, metadata


class StoreError(Exception):
    """The database cannot be used: not one of ours, damaged, or of another layout."""


_GAME_COLUMNS = [games.c[field.name] for field in fields(Game)]


class Store:
    """The open database of one contest. Close it, or use it as a context manager."""

    def __init__(self, url: str) -> None:
        """Open the database at `url` (SQLAlchemy's form), making its tables if it is new.

        Raises StoreError if what is there is not a database of this layout.
        """
        self.url = url
        self._engine = create_engine(url)
        if self._engine.dialect.name == "sqlite":
            event.listen(self._engine, "connect", _set_sqlite_up)
        try:
            metadata.create_all(self._engine)
            self._check_layout()
        except DatabaseError as error:
            self.close()
            raise StoreError(f"{url}: not a usable database: {error.orig}") from error
        except StoreError:
            self.close()
            raise

    @classmethod
    def in_file(cls, path: Path) -> Store:
        """The SQLite database in the file `path`, made if it is missing."""
        return cls(f"sqlite:///{path}")

    def _check_layout(self) -> None:
        with self._engine.begin() as connection:
            found = connection.scalar(select(meta.c.value).where(meta.c.key == "layout"))
            if found is None:
                connection.execute(insert(meta).values(key="layout", value=str(LAYOUT_VERSION)))
            elif found == "1":
                # Changing a row first opens the transaction that the tables are changed in.
                connection.execute(update(meta).values(value="2").where(meta.c.key == "layout"))
                for statement in FROM_LAYOUT_1:
                    connection.execute(text(statement))
            elif found != str(LAYOUT_VERSION):
                raise StoreError(
                    f"{self.url}: written in layout {found}, this version of joute reads layout "
                    f"{LAYOUT_VERSION}"
                )

    def seed(self) -> str | None:
        """The seed of the configuration in force, or None in a new database."""
        newest = select(contest.c.seed).order_by(contest.c.number.desc()).limit(1)
        with self._engine.connect() as connection:
            return connection.scalar(newest)

    def configurations(self) -> list[str]:
        """Every configuration kept, as JSON, oldest first."""
        rows = select(contest.c.configuration).order_by(contest.c.number)
        with self._engine.connect() as connection:
            return list(connection.scalars(rows))

    def keep_configuration(self, configuration: str, seed: str) -> None:
        """Make this the configuration in force, unless it is already."""
        newest = (
            select(contest.c.configuration, contest.c.seed)
            .order_by(contest.c.number.desc())
            .limit(1)
        )
        with self._engine.begin() as connection:
            row = connection.execute(newest).first()
            if row is None or tuple(row) != (configuration, seed):
                values = {"configuration": configuration, "seed": seed}
                connection.execute(insert(contest).values(values))

    def add(self, batch: Iterable[Game]) -> int:
        """Write the games in one transaction; games already there stay as they are.

        Returns how many were new.
        """
        rows = [asdict(game) for game in batch]
        if not rows:
            return 0
        statement = self._insert_or_ignore()
        with self._engine.begin() as connection:
            return sum(connection.execute(statement, row).rowcount for row in rows)

    def _insert_or_ignore(self) -> Any:
        if self._engine.dialect.name == "postgresql":
            return postgresql.insert(games).on_conflict_do_nothing(index_elements=["identity"])
        return sqlite.insert(games).on_conflict_do_nothing(index_elements=["identity"])

    def identities(self) -> set[str]:
        """The identities of all games kept."""
        with self._engine.connect() as connection:
            return set(connection.scalars(select(games.c.identity)))

    def games(self) -> dict[str, Game]:
        """All games kept, by identity."""
        with self._engine.connect() as connection:
            rows = connection.execute(select(*_GAME_COLUMNS)).mappings()
            return {row["identity"]: Game(**row) for row in rows}

    def close(self) -> None:
        """Give the database back; the object cannot be used afterwards."""
        self._engine.dispose()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _set_sqlite_up(connection: Any, _record: object) -> None:
    """Write-ahead log, and every commit on the disk before it is reported as done."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()
