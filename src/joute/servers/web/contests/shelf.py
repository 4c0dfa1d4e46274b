"""The contests that are served: found in folders, opened once, summed up when they change."""

from __future__ import annotations

import re
import time
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from threading import Lock

import msgspec

from joute.contest.config import Contest
from joute.contest.errors import FolderError
from joute.contest.folder import ELSEWHERE, has_store, open_store
from joute.servers.web.contests.summary import Summary, summarised
from joute.store.listing import Listed
from joute.store.store import Store, StoreError

LONGEST_ID = 40  # characters
SHARE = 10  # a summary that took a second is good for so many, while games arrive


class Kept:
    """A contest that is served. Methods raise StoreError for a store that cannot be used."""

    def __init__(self, identifier: str, folder: Path, store: Store) -> None:
        self.identifier = identifier
        self.folder = folder
        self.store = store
        self._lock = Lock()
        self._summary: Summary | None = None
        self._good_until = 0.0

    @property
    def contest(self) -> Contest:
        """The contest's configuration in force."""
        return _contest(self.folder, self.store)

    def summary(self) -> Summary:
        """The contest in short, at most a little older than its last game.

        Raises ValueError or OSError if the files of its bots are gone.
        """
        known = self._summary
        if known is not None and time.monotonic() < self._good_until:
            return known
        if known is None:
            with self._lock:
                return self._renewed()
        # One makes it anew; who comes meanwhile is shown what was known.
        if not self._lock.acquire(blocking=False):
            return known
        try:
            return self._renewed()
        finally:
            self._lock.release()

    def _renewed(self) -> Summary:
        """The summary as it is now, unless somebody has just made it."""
        began = time.monotonic()
        known = self._summary
        if known is not None and began < self._good_until:
            return known
        if known is None or known.left or known.state != self.store.state():
            known = self._summary = summarised(self.contest, self.store)
        spent = time.monotonic() - began
        self._good_until = time.monotonic() + max(1.0, SHARE * spent)
        return known

    def newest(
        self, bots: Sequence[str] = (), before: int | None = None, count: int = 50
    ) -> list[Listed]:
        """Games, the newest first, from below the number `before` on; those with all of `bots`."""
        return self.store.listed(bots, before, count)


class Shelf:
    """All contests that are served, by identifier, in the order in which they were named."""

    def __init__(self, folders: Iterable[Path]) -> None:
        """Opens the contests in these folders. Raises FolderError."""
        self._kept: dict[str, Kept] = {}
        try:
            for folder in folders:
                for found in contest_folders(folder):
                    self.add(found)
        except BaseException:
            self.close()
            raise

    def __iter__(self) -> Iterator[Kept]:
        return iter(list(self._kept.values()))

    def __len__(self) -> int:
        return len(self._kept)

    def find(self, identifier: str) -> Kept | None:
        """The contest of that identifier, if there is one."""
        return self._kept.get(identifier)

    def of(self, folder: Path) -> Kept | None:
        """The contest of that folder, if it is served."""
        return next((kept for kept in self if kept.folder == folder), None)

    def remove(self, folder: Path) -> None:
        """Serves the contest of that folder no more."""
        kept = self.of(folder)
        if kept is not None:
            del self._kept[kept.identifier]
            kept.store.close()

    def close(self) -> None:
        """Closes all of them."""
        for kept in self:
            kept.store.close()

    def add(self, folder: Path) -> Kept:
        """Serves the contest of a folder from now on. Raises FolderError."""
        try:
            store = open_store(folder)
            name = _contest(folder, store).name
        except StoreError as error:
            raise FolderError(str(error)) from error
        identifier = slug = identifier_of(name)
        number = 2
        while identifier in self._kept:
            identifier, number = f"{slug}-{number}", number + 1
        added = self._kept[identifier] = Kept(identifier, folder, store)
        return added


def contest_folders(folder: Path) -> list[Path]:
    """The contest's folder itself, or those of contests in it. Raises FolderError without any."""
    if has_store(folder):
        return [folder]
    inside = sorted(folder.iterdir()) if folder.is_dir() else []
    found = [path for path in inside if path.is_dir() and has_store(path)]
    if not found:
        raise FolderError(
            f"{folder}: holds no contest that was played; expected the folder that "
            f"`joute contest run` fills, or one that holds such folders"
        )
    return found


def identifier_of(name: str) -> str:
    """A name as part of an address: letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:LONGEST_ID] or "contest"


def _contest(folder: Path, store: Store) -> Contest:
    """The configuration in force, wherever the folder lies now. Raises StoreError."""
    kept = store.configurations()
    if not kept:
        raise StoreError(f"{folder}: no contest was begun here")
    try:
        contest = msgspec.json.decode(kept[-1], type=Contest)
    except msgspec.DecodeError as error:
        raise StoreError(f"{folder}: its configuration cannot be read: {error}") from None
    elsewhere = store.url if (folder / ELSEWHERE).is_file() else None
    return msgspec.structs.replace(contest, folder=str(folder.resolve()), store=elsewhere)
