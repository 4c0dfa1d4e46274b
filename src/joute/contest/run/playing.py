"""The folder of a contest while it is played into: locked, its store open for writing."""

from __future__ import annotations

import fcntl
import os
import tempfile
from contextlib import suppress
from pathlib import Path

import msgspec

from joute.contest.config.contest import Contest, from_json, to_json
from joute.contest.contents import check_decided, contents_of
from joute.contest.errors import ContestError, FolderError, GoneError, LockedError
from joute.contest.folder import (
    DATABASE,
    ELSEWHERE,
    LOCK,
    RECORDS,
    known_to,
    now,
    open_store,
    opened_store,
    store_errors,
)
from joute.contest.run.coordinator import Finished
from joute.contest.run.ledger import KnownResults
from joute.files import put
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.machine import Closing, ShortageError, shortage
from joute.store.model import StoredGame, StoreError
from joute.text import free_name

RESCUED = ".rescued"


class Folder(Closing):
    """A contest's folder, open for playing: locked, its store open.

    `store` is the URL of the database where that is not the file in the folder; the folder
    remembers it. Use it as a context manager. Raises LockedError if somebody else plays into it,
    FolderError if it cannot be used.
    """

    def __init__(self, path: Path, store: str | None = None) -> None:
        self.path = path
        self.records = path / RECORDS
        self.shared = False  # whether another runner puts games into the same database
        self._seen = (0, 0)  # games and decisions of the store, but for those that others add
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.records.mkdir(exist_ok=True)
            self._lock = (path / LOCK).open("a+b", buffering=0)  # no rest to write when it closes
        except OSError as error:
            if (kind := shortage(error)) is not None:
                raise ShortageError(kind, str(path)) from error
            reason = Sentence("error.file.unwritable", reason=foreign(error))
            raise FolderError(Sentence("error.config.at", place=path, reason=reason)) from None
        try:
            self._take_lock()
            with store_errors(path):
                self.store = open_store(path, store)
                if store is not None:
                    from joute.store.store import public_url

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
            owner = self._lock.read().decode(errors="replace").strip()
            raise LockedError(self.path, owner) from None
        with suppress(OSError):  # for want of room: it is held all the same
            self._lock.truncate(0)
            self._lock.write(b"%d" % os.getpid())

    def save(self, finished: list[Finished]) -> list[StoredGame]:
        """Puts a batch of games with their records into the store, and what is noted of them.

        Returns their rows as the store has them: of a game that another runner with the same
        database has put there before, the other's. Raises GoneError, ShortageError, FolderError.
        """
        results = [one for one in finished if one.played.result is not None]
        rows = [game_row(one, record_name(one)) for one in results]
        packed = {one.task.identity: one.played.record for one in results}
        notes = [one.note for one in finished if one.note is not None]
        try:
            with store_errors(self.path):
                added = self.store.add(rows, packed=packed, notes=notes)
                if added < len({row.identity for row in rows}):
                    self.shared = True
                    rows = list(self.store.games_named([row.identity for row in rows]).values())
        except ContestError:
            self.check()  # which says more
            raise
        self.check()
        games, decisions = self._seen
        self._seen = games + added, decisions + len(notes)
        return rows

    def keep_configuration(self, contest: Contest, seed: str, text: str | None = None) -> None:
        """Notes under what is played, with the bots' files as they are.

        `text` is the configuration as it is to be kept, where it is not just the contest's.
        Raises ShortageError, FolderError, DecisionError as `check_decided` does.
        """
        contents = contents_of(contest)
        with store_errors(self.path):
            check_decided(contest, contents, self.store, self.store.in_force())
            text = text or self._as_kept(msgspec.structs.replace(contest, seed=seed))
            self.store.keep_configuration(text, seed, contents, now())

    def _as_kept(self, contest: Contest) -> str:
        """The configuration as text: that in force, if only the folder lies elsewhere now."""
        for text in self.store.configurations()[-1:]:
            with suppress(msgspec.ValidationError):
                kept = from_json(text)
                if msgspec.structs.replace(kept, folder=contest.folder) == contest:
                    return text
        return to_json(contest).decode()

    def check(self) -> None:
        """Raises GoneError if the folder or its database is not there any more, or another one.

        All that the database held, the latest batch too, is in a file then: an open database stays
        readable though it is deleted.
        """
        if self._found() != self._files:
            raise GoneError(self.path, self._rescued(), self.store.file)

    def _found(self) -> list[tuple[int, int] | None]:
        """The files that stay the same as long as the folder is played into."""
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
        place = self.path.parent
        name = free_name(f"{self.path.name}{RESCUED}", lambda each: (place / each).exists(), "-")
        folder = place / name
        with suppress(OSError, StoreError):
            return folder / DATABASE if self.store.copy_to(folder / DATABASE) else None
        with store_errors(self.path):
            folder = Path(tempfile.mkdtemp(prefix="joute-rescued-"))
            return folder / DATABASE if self.store.copy_to(folder / DATABASE) else None

    def seed(self) -> str | None:
        """The seed of the configuration in force, if there is one. Raises FolderError."""
        with store_errors(self.path):
            return self.store.seed()

    def known(self, contest: Contest) -> KnownResults:
        """The results of a contest in the folder. Raises FolderError."""
        with store_errors(self.path):
            self._seen = self.store.state()
            return known_to(self.store, contest)

    def all_known(self) -> bool:
        """Whether nobody else has put anything into the store since `known`.

        A server that is away is not waited for. Raises GoneError, ShortageError, FolderError.
        """
        self.check()
        with opened_store(self.path) as store:
            return store.state() == self._seen

    def close(self) -> None:
        """Closes the store and lets the lock go, with the number of whoever held it."""
        self.store.close()
        with suppress(OSError):  # a full disk
            self._lock.truncate(0)
        self._lock.close()


def record_name(finished: Finished) -> str:
    """The name under which a game's record is asked for."""
    return f"{finished.task.identity}.jsonl"


def game_row(finished: Finished, record: str) -> StoredGame:
    """The row of a game that was just played."""
    slot, identity = finished.task.slot, finished.task.identity
    result = finished.played.result
    if result is None:
        raise ValueError(f"game {identity} has no result")
    return StoredGame(
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
