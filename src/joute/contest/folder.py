"""The folder of a contest: its database, its records, its lock.

    contest.sqlite          what was played (see joute.store)
    records/IDENTITY.jsonl  one record a game, there before its row is
    standings.json, .txt    written at the end of a run
    lock                    held by whoever plays into the folder

A record is written under another name and renamed before the row that stands for it is committed:
after a kill at any moment every row has its record, whole.
"""

from __future__ import annotations

import fcntl
import os
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

import msgspec

from joute.contest.coordinator import Finished
from joute.contest.errors import FolderError, LockedError
from joute.contest.work import PARTIAL
from joute.store.game import Game
from joute.store.store import Store, StoreError

DATABASE = "contest.sqlite"
RECORDS = "records"
LOCK = "lock"


class Folder:
    """A contest's folder, open for playing: locked, its leftovers cleared away, its store open.

    Use it as a context manager. Raises LockedError if somebody else plays into it, FolderError
    if it cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.records = path / RECORDS
        try:
            self.records.mkdir(parents=True, exist_ok=True)
            self._lock = (path / LOCK).open("a+", encoding="utf-8")
        except OSError as error:
            raise FolderError(f"{path}: cannot be written: {error.strerror}") from None
        try:
            self._take_lock()
            clear_partial(self.records)
            self.store = Store.in_file(path / DATABASE)
        except StoreError as error:
            self._lock.close()
            raise FolderError(str(error)) from error
        except BaseException:
            self._lock.close()
            raise

    def _take_lock(self) -> None:
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.seek(0)
            raise LockedError(self.path, self._lock.read().strip()) from None
        self._lock.truncate(0)
        self._lock.write(str(os.getpid()))
        self._lock.flush()

    def save(self, finished: list[Finished]) -> list[Game]:
        """Put the records of a batch in their places, then its rows into the store."""
        rows = [game_row(one, keep_record(one, self.records)) for one in finished]
        sync_folder(self.records)
        self.store.add(rows)
        return rows

    def close(self) -> None:
        """Close the store and let the lock go."""
        # A worker of a killed run may have written its last record after we came.
        clear_partial(self.records)
        self.store.close()
        self._lock.close()

    def __enter__(self) -> Folder:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def kept(path: Path) -> tuple[str | None, dict[str, Game]]:
    """The seed and the games of a folder, for whoever only looks; nothing if it is new."""
    if not (path / DATABASE).is_file():
        return None, {}
    try:
        with Store.in_file(path / DATABASE) as store:
            return store.seed(), store.games()
    except StoreError as error:
        raise FolderError(str(error)) from error


def clear_partial(records: Path) -> None:
    """Remove records that a killed run left unfinished."""
    for leftover in records.glob(f"*{PARTIAL}"):
        leftover.unlink()


def keep_record(finished: Finished, records: Path) -> str:
    """Give a game's record its place; returns its file name there."""
    name = f"{finished.task.identity}.jsonl"
    Path(finished.played.partial).replace(records / name)
    return name


def sync_folder(folder: Path) -> None:
    """Make the names in a folder safe on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def game_row(finished: Finished, record: str) -> Game:
    """The row of a game that was just played."""
    slot, identity, _ = finished.task
    result = finished.played.result
    if result is None:
        raise ValueError(f"game {identity} has no result")
    return Game(
        identity=identity,
        members=list(slot.members),
        set_number=slot.number,
        map=slot.map,
        bots=list(slot.seats),
        ending=result.ending,
        returns=list(result.returns),
        points=list(result.points),
        plies=result.plies,
        faults=[msgspec.structs.asdict(fault) for fault in result.faults],
        cpu_ms=list(result.cpu_ms),
        asked=list(result.asked),
        chain=result.chain,
        record=record,
        played_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
