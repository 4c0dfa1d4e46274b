"""The folder of a contest: its database or where that is, and its lock.

    contest.sqlite          what was played, and the records (see joute.store)
    store                   instead, the URL of the database, without its password
    records/IDENTITY.jsonl  a record as a file, in folders of older versions
    standings.json, .txt    written at the end of a run
    summary.json            of a large contest, see joute.contest.report.summary
    live/NAME.jsonl         a game that is being played, see joute.play.broadcast
    lock                    held by whoever plays into the folder

A game's row and its record are written in one transaction: after a kill at any moment both are
there or neither is, and the game is played again.
"""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

import msgspec

from joute.contest.config.config import Contest
from joute.contest.errors import ContestError, FolderError, GoneError, LockedError
from joute.contest.run.coordinator import Finished
from joute.contest.run.ledger import Known, Ledger
from joute.contest.run.tasks import contents_of
from joute.files import put
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.machine import ShortageError, shortage
from joute.store.game import Game
from joute.store.links import Link
from joute.store.store import Store, StoreError, public_url

DATABASE = "contest.sqlite"
ELSEWHERE = "store"
RECORDS = "records"
RESCUED = ".rescued"
_RESCUES = 1000
LOCK = "lock"


class Folder:
    """A contest's folder, open for playing: locked, its store open.

    `store` is the URL of the database where that is not the file in the folder; the folder
    remembers it. Use it as a context manager. Raises LockedError if somebody else plays into it,
    FolderError if it cannot be used.
    """

    def __init__(self, path: Path, store: str | None = None) -> None:
        self.path = path
        self.records = path / RECORDS
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.records.mkdir(exist_ok=True)
            self._lock = (path / LOCK).open("a+", encoding="utf-8")
        except OSError as error:
            if (kind := shortage(error)) is not None:
                raise ShortageError(kind, str(path)) from error
            reason = Sentence("error.file.unwritable", reason=foreign(error))
            raise FolderError(Sentence("error.config.at", place=path, reason=reason)) from None
        try:
            self._take_lock()
            with told(path):
                self.store = open_store(path, store)
                if store is not None:
                    put(path / ELSEWHERE, f"{public_url(store)}\n")
            self._files = self._found()
            if None in self._files:  # deleted in this very moment
                raise GoneError(path, self._rescued(), self.store.file)
        except BaseException:
            self._lock.close()
            raise

    def _take_lock(self) -> None:
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.seek(0)
            raise LockedError(self.path, self._lock.read().strip()) from None
        with suppress(OSError):  # for want of room: it is held all the same
            self._lock.truncate(0)
            self._lock.write(str(os.getpid()))
            self._lock.flush()

    def save(self, finished: list[Finished]) -> list[Game]:
        """Put a batch of games with their records into the store, and what is noted of them.

        Raises GoneError, ShortageError, FolderError.
        """
        results = [one for one in finished if one.played.result is not None]
        rows = [game_row(one, record_name(one)) for one in results]
        packed = {one.task.identity: one.played.record for one in results}
        notes = [one.note for one in finished if one.note is not None]
        try:
            with told(self.path):
                self.store.add(rows, packed=packed, notes=notes)
        except ContestError:
            self.check()  # which says more
            raise
        self.check()
        return rows

    def keep_configuration(self, contest: Contest, seed: str, text: str | None = None) -> None:
        """Note under what is played, with the bots' files as they are.

        `text` is the configuration as it is to be kept, where it is not just the contest's.
        Raises ShortageError, FolderError.
        """
        with told(self.path):
            text = text or self._as_kept(msgspec.structs.replace(contest, seed=seed))
            self.store.keep_configuration(text, seed, contents_of(contest), now())

    def _as_kept(self, contest: Contest) -> str:
        """The configuration as text: that in force, if only the folder lies elsewhere now."""
        for text in self.store.configurations()[-1:]:
            with suppress(msgspec.ValidationError):
                kept = msgspec.json.decode(text, type=Contest)
                if msgspec.structs.replace(kept, folder=contest.folder) == contest:
                    return text
        return msgspec.json.encode(contest).decode()

    def check(self) -> None:
        """Raise GoneError if the folder or its database is not there any more, or another one.

        All that the database held, the latest batch too, is in a file then: an open database stays
        readable though it is deleted.
        """
        if self._found() != self._files:
            raise GoneError(self.path, self._rescued(), self.store.file)

    def _found(self) -> list[tuple[int, int] | None]:
        """Which files are there that stay the same as long as the folder is played into."""
        found: list[tuple[int, int] | None] = []
        for path in (self.path / LOCK, self.store.file):
            if path is None:
                continue
            try:
                facts = path.stat()
                found.append((facts.st_dev, facts.st_ino))
            except OSError:
                found.append(None)
        return found

    def _rescued(self) -> Path | None:
        """The file with a copy of the store: beside the folder, or among the temporary files."""
        beside = self.path.with_name(f"{self.path.name}{RESCUED}")
        for number in range(1, _RESCUES):
            folder = beside if number == 1 else beside.with_name(f"{beside.name}-{number}")
            if not folder.exists():
                break
        with suppress(OSError, StoreError):
            return folder / DATABASE if self.store.copy_to(folder / DATABASE) else None
        with told(self.path):
            folder = Path(tempfile.mkdtemp(prefix="joute-rescued-"))
            return folder / DATABASE if self.store.copy_to(folder / DATABASE) else None

    def seed(self) -> str | None:
        """The seed of the configuration in force, if there is one. Raises FolderError."""
        with told(self.path):
            return self.store.seed()

    def known(self, contest: Contest) -> Known:
        """What the folder knows of a contest. Raises FolderError."""
        with told(self.path):
            return _known(self.store, contest)

    def close(self) -> None:
        """Close the store and let the lock go, with the number of whoever held it."""
        self.store.close()
        with suppress(OSError):  # a full disk
            self._lock.truncate(0)
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


def has_store(path: Path) -> bool:
    """Whether a folder is that of a contest which was played."""
    return (path / DATABASE).is_file() or (path / ELSEWHERE).is_file()


def open_store(path: Path, store: str | None = None) -> Store:
    """The open store of a contest's folder, at the URL `store` if one is given.

    Raises StoreError, FolderError if the folder's results are elsewhere.
    """
    known = path / ELSEWHERE
    before = known.read_text(encoding="utf-8").strip() if known.is_file() else None
    if store is None:
        return Store.in_file(path / DATABASE) if before is None else Store(before)
    if before is None and (path / DATABASE).is_file():
        before = DATABASE
    if before not in (None, public_url(store)):
        places = {"folder": path, "before": before, "store": store}
        raise FolderError(Sentence("error.folder.elsewhere", **places))
    return Store(store)


def known(contest: Contest) -> Known:
    """What a contest's folder knows, for whoever only looks; nothing if it is new."""
    path = Path(contest.folder)
    if not has_store(path):
        return Known(None, Ledger(contest.players), {})
    with looked_at(path, contest.store) as store:
        return _known(store, contest)


def _known(store: Store, contest: Contest) -> Known:
    games = Ledger.of(contest.players, store.results())
    return Known(store.seed(), games, store.marked())


def kept(path: Path, store: str | None = None) -> tuple[str | None, dict[str, Game]]:
    """The seed and the games of a folder, whole; nothing if it is new."""
    if not has_store(path):
        return None, {}
    with looked_at(path, store) as opened:
        return opened.seed(), opened.games()


def last_link(contest: Contest) -> Link | None:
    """The last link of the chain of a contest's rows; None before anything was played."""
    path = Path(contest.folder)
    if not has_store(path):
        return None
    with looked_at(path, contest.store) as store:
        return store.last_link()


@contextmanager
def looked_at(path: Path, store: str | None = None) -> Iterator[Store]:
    """The open store of a folder, for a while. Raises FolderError for what is wrong with it."""
    with told(path), open_store(path, store) as opened:
        yield opened


@contextmanager
def told(path: Path) -> Iterator[None]:
    """What is wrong with the store of a folder, as a FolderError or a ShortageError."""
    try:
        yield
    except StoreError as error:
        if error.short is not None:
            raise ShortageError(error.short, str(path)) from error
        raise FolderError(error) from error


def now() -> str:
    """The time as the store keeps it: ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def record_name(finished: Finished) -> str:
    """The name under which a game's record is asked for."""
    return f"{finished.task.identity}.jsonl"


def game_row(finished: Finished, record: str) -> Game:
    """The row of a game that was just played."""
    slot, identity = finished.task.slot, finished.task.identity
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
        played_at=now(),
        isolation=list(result.isolation),
    )
