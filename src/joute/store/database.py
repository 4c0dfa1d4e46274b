"""A database that is opened by URL and may go away for a while: SQLite or PostgreSQL.

What is to be read or written is handed over as a function of a connection and runs in one
transaction. Where the server goes away before that is known to be done, the whole is done again: so
it must be something that can be done twice.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError, NoSuchModuleError
from sqlalchemy.pool import QueuePool

from joute import machine
from joute.files import tighten
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.store.model import ForbiddenError, StoreError
from joute.store.unwritable import Unwritable, only_read

T = TypeVar("T")

PATIENCE_SECONDS = 300.0  # how long a server may be away
FIRST_PAUSE_SECONDS = 0.05  # between two tries; then twice as long each time
LONGEST_PAUSE_SECONDS = 5.0
SQLITE_WAIT_SECONDS = 30.0  # for another process that writes
POOL_LOGGER = f"{QueuePool.__module__}.{QueuePool.__name__}"
_COMING_OR_GOING = ("57P01", "57P02", "57P03")  # PostgreSQL: shutdown, crash, starting up
# Of a full disk SQLite says so, but of a limit on files or a quota only that it cannot write.
_SHORT_SQLITE = {
    sqlite3.SQLITE_FULL: machine.DISK,
    sqlite3.SQLITE_IOERR_WRITE: machine.DISK,
    sqlite3.SQLITE_IOERR_FSYNC: machine.DISK,
    sqlite3.SQLITE_IOERR_TRUNCATE: machine.DISK,
    sqlite3.SQLITE_IOERR_SHMMAP: machine.DISK,
    sqlite3.SQLITE_IOERR_SHMOPEN: machine.DISK,
    sqlite3.SQLITE_IOERR_SHMSIZE: machine.DISK,
    sqlite3.SQLITE_READONLY: machine.READ_ONLY,
    sqlite3.SQLITE_NOMEM: machine.MEMORY,
}
_SHORT_POSTGRESQL = {"53100": machine.DISK, "53200": machine.MEMORY, "25006": machine.READ_ONLY}
_SUFFIXES = ("", "-wal", "-shm", "-journal")  # of an SQLite database's files
_WRITERS_LOCK = 0x6A6F757465  # any number, the same for all who write ("joute")


class Database:
    """A database that is open. `patience_seconds` is how long a server may be away.

    Raises StoreError for a URL that cannot be used, before anything is opened.
    """

    def __init__(self, url: str | URL, patience_seconds: float = PATIENCE_SECONDS) -> None:
        found = _parsed(url)
        self.sqlite = found.get_backend_name() == "sqlite"
        self.file = Path(found.database) if self.sqlite and found.database else None
        plain = f"sqlite:///{found.database}"  # as SQLAlchemy writes it, signs are escaped
        self.name = found.set(password=None).render_as_string() if self.file is None else plain
        self._patience_seconds = patience_seconds
        self._held: Connection | None = None  # of a snapshot
        self._opened = False  # a server that was never there is not waited for
        if self.sqlite and found.database not in (None, "", ":memory:"):
            _make_private(Path(found.database or ""))
        self._unwritable: Unwritable | None = None
        if self.file is not None and only_read(self.file):
            self._unwritable = Unwritable(self.file)
        options = {"connect_args": {"timeout": SQLITE_WAIT_SECONDS}} if self.sqlite else {}
        try:
            self._engine = create_engine(found, **options)
        except ModuleNotFoundError as error:
            facts = {"store": self.name, "package": error.name}
            raise ForbiddenError(Sentence("error.store.package", **facts)) from None
        logging.getLogger(POOL_LOGGER).addFilter(_is_error)
        if self.sqlite:
            event.listen(self._engine, "connect", _set_transactions_up)
            event.listen(self._engine, "begin", _begin_sqlite)
        if (file := self._unwritable) is not None:
            event.listen(self._engine, "do_connect", lambda *_: file.connect(SQLITE_WAIT_SECONDS))
        elif self.sqlite:
            event.listen(self._engine, "connect", _set_log_up)
        self._writers = self._engine.execution_options(writing=True)

    def read(self, work: Callable[[Connection], T]) -> T:
        """The return value of `work`, done in a transaction. Raises StoreError."""
        if (held := self._held) is not None:
            return self._until_done(lambda: work(held), patience_seconds=0.0)

        def once() -> T:
            with self._engine.begin() as connection:
                return work(connection)

        if (file := self._unwritable) is not None:
            return self._until_done(lambda: file.undisturbed(once, self._engine.dispose))
        return self._until_done(once)

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """While open, whatever is read is of one moment. Raises StoreError.

        Not of a file that nobody writes, and we cannot either.
        """
        if self._unwritable is not None and not self._unwritable.logged():
            yield
            return
        level = {} if self.sqlite else {"isolation_level": "REPEATABLE READ"}
        engine = self._engine.execution_options(**level)
        with self._until_done(engine.connect) as connection, connection.begin():
            self._held = connection
            try:
                yield
            finally:
                self._held = None

    def write(self, work: Callable[[Connection], T]) -> T:
        """The return value of `work`, in a transaction while no other writes. Raises StoreError."""
        if self._unwritable is not None:
            raise self._unwritable.refusal(self.name)

        def once() -> T:
            with self._writers.begin() as connection:
                if not self.sqlite:
                    lock = text("SELECT pg_advisory_xact_lock(:key)")
                    connection.execute(lock, {"key": _WRITERS_LOCK})
                return work(connection)

        return self._until_done(once)

    def copy_to(self, path: Path) -> None:
        """Copies all of an SQLite database into a new file, though its own is gone meanwhile.

        What a connection has open stays readable until it is closed. Raises OSError, StoreError.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        target = sqlite3.connect(path)
        try:
            connection = self._engine.raw_connection()
            source: Any = connection.driver_connection
            source.backup(target)
            connection.close()
        except sqlite3.Error as error:
            reason = Sentence("error.store.unwritable", store=path, reason=foreign(error))
            raise StoreError(reason) from error
        finally:
            target.close()

    def close(self) -> None:
        """Gives the connections back; the object cannot be used afterwards."""
        self._engine.dispose()

    def _until_done(self, once: Callable[[], T], patience_seconds: float | None = None) -> T:
        patience = self._patience_seconds if patience_seconds is None else patience_seconds
        deadline = time.monotonic() + patience
        pause = FIRST_PAUSE_SECONDS
        while True:
            try:
                done = once()
            except DatabaseError as error:
                if not self._away(error):
                    told = "failed" if self._opened else "unusable"
                    facts = {"store": self.name, "reason": foreign(error.orig)}
                    kind = ForbiddenError if self._unreadable(error) else StoreError
                    raise kind(Sentence(f"error.store.{told}", **facts), _short(error)) from error
                if time.monotonic() + pause > deadline:
                    waited = {"seconds": patience, "reason": foreign(error.orig)}
                    raise ForbiddenError(
                        Sentence("error.store.waited", store=self.name, **waited)
                    ) from error
                time.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
            else:
                self._opened = True
                return done

    def _unreadable(self, error: DBAPIError) -> bool:
        """Whether there is a file, or log, that we may not read, or a server we do not reach."""
        if not self.sqlite:
            return not self._opened and _is_unreached(error)
        if self.file is None:
            return False
        each = [self.file.with_name(self.file.name + suffix) for suffix in _SUFFIXES]
        return any(os.access(path, os.F_OK) and not os.access(path, os.R_OK) for path in each)

    def _away(self, error: DBAPIError) -> bool:
        """Whether a server that was there is gone, or not yet back."""
        if self.sqlite or not self._opened:
            return False
        return error.connection_invalidated or _is_unreached(error)


def _is_unreached(error: DBAPIError) -> bool:
    """Whether no server answered, or one that comes or goes."""
    code = getattr(error.orig, "sqlstate", None)
    # A connection that cannot be made, or breaks, has no code: nobody was there to give one.
    return code is None or code in _COMING_OR_GOING


def _short(error: DBAPIError) -> str | None:
    """The name of what the database's machine has too little of, if that is why it failed."""
    if (code := getattr(error.orig, "sqlite_errorcode", None)) is not None:
        return _SHORT_SQLITE.get(code) or _SHORT_SQLITE.get(code & 0xFF)
    return _SHORT_POSTGRESQL.get(getattr(error.orig, "sqlstate", None) or "")


def public_url(url: str) -> str:
    """The URL itself, if it can be shown and kept: the URL of a database, without a password.

    Raises StoreError if it is not.
    """
    if _parsed(url).password is not None:
        raise StoreError(Sentence("error.store.password"))
    return url


def file_url(path: Path) -> URL:
    """The URL of the SQLite database in a file, whatever signs are in its path."""
    return URL.create("sqlite", database=str(path))


def placed(url: str, folder: Path) -> str:
    """The URL, with the path of an SQLite file in it from `folder` on. Raises StoreError."""
    found = _parsed(url)
    file = _file_of(found)
    if file is None:
        return url
    return found.set(database=str((folder / file).resolve())).render_as_string()


def missing_file(url: str) -> Path | None:
    """The SQLite file of a URL if there is no such file. Raises StoreError."""
    file = _file_of(_parsed(url))
    return None if file is None or file.exists() else file


def _file_of(url: URL) -> Path | None:
    """The SQLite file of a URL; None where the database is no file."""
    named = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
    return Path(str(url.database)) if named else None


def _parsed(url: str | URL) -> URL:
    try:
        found = make_url(url)
        backend = found.get_backend_name()
    except (ArgumentError, NoSuchModuleError):
        found, backend = None, ""
    if found is None or backend not in ("sqlite", "postgresql"):
        raise StoreError(Sentence("error.store.url", url=url))
    if found.drivername == "postgresql":
        return found.set(drivername="postgresql+psycopg")
    return found


def _make_private(path: Path) -> None:
    """Sees to it that a file of seeds and messages is its owner's alone, but for a group's.

    SQLite gives the files beside it the same permissions.
    """
    with suppress(OSError):  # it is there, or cannot be made, of which SQLite tells
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    for suffix in _SUFFIXES:
        tighten(path.with_name(path.name + suffix))


def _is_error(record: logging.LogRecord) -> bool:
    """Whether a message of the connections' pool is of an error, and not of an interruption.

    The pool prints the traceback of an interruption that comes while it closes a connection, and
    raises it again: whoever hears it says in a sentence what has ended.
    """
    kind = record.exc_info[0] if record.exc_info else None
    return kind is None or issubclass(kind, Exception)


def _set_transactions_up(connection: Any, _record: object) -> None:
    """Transactions begin where we say so, changes of tables too."""
    connection.isolation_level = None


def _set_log_up(connection: Any, _record: object) -> None:
    """Sets a write-ahead log, and every commit on the disk before it is reported as done."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")
