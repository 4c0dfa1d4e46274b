"""The contests that are served: found in folders, opened once, read again when they change."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock, Timer

from joute.contest.config.contest import Contest
from joute.contest.contents import gone_bots
from joute.contest.errors import FolderError
from joute.contest.folder import configured, contest_folders, open_store
from joute.contest.report.wording import gone
from joute.contest.run.ledger import check_words
from joute.store.reading import Listed
from joute.store.store import Store, StoreError
from joute.text import free_name, slug
from joute.web.broadcasts import Broadcasts
from joute.web.contests.attempts import Attempts
from joute.web.contests.snapshot import PAUSED, STOPPED, Snapshot, sketched, taken

_log = logging.getLogger("joute.web")

SLOW_SECONDS = 0.5  # a snapshot that takes longer is made while the one before is shown
AFTER_SECONDS = 0.5  # it is begun so much later, so that the page that asked for it comes first
SHARE = 10  # a snapshot that took a second is good for so many, while games arrive


class ServedContest:
    """A contest that is served. Methods raise StoreError for a store that cannot be used."""

    def __init__(self, identifier: str, folder: Path, store: Store, public: bool = True) -> None:
        self.identifier = identifier
        self.folder = folder
        self.store = store
        self.public = public
        """Whether it is for everybody, or for the organiser alone."""
        self.audience = ""
        """The registration whose participants see it too: it is their ladder."""
        self.stopped = False
        """Whether what is left of it is not to be played."""
        self.broadcasts = Broadcasts(folder)
        self.attempts = Attempts(store)
        self._lock = Lock()
        self._snapshot: Snapshot | None = None
        self._good_until = 0.0
        self._slow = False  # whether to make it anew takes long
        self._thread: Timer | None = None

    @property
    def contest(self) -> Contest:
        """The contest's configuration in force."""
        return configured(self.folder, self.store)

    def snapshot(self) -> Snapshot:
        """The contest, at most a little older than its last game.

        Raises ValueError or OSError if files of its bots are gone that the store knows nothing of.
        """
        found = self._latest()
        if self.stopped and found.stage == PAUSED:
            return found._replace(stage=STOPPED)
        return found

    def renew(self) -> None:
        """Makes the snapshot anew after a decision, however long that takes.

        Raises ValueError or OSError if files of its bots are gone that the store knows nothing of.
        """
        with self._lock:
            self._good_until = 0.0
            self._renewed()

    @property
    def stage(self) -> str:
        """The stage of the contest (see `Snapshot`); PAUSED where it is not known."""
        try:
            return self.snapshot().stage
        except (StoreError, OSError, ValueError):
            return PAUSED

    def _latest(self) -> Snapshot:
        known = self._snapshot
        if known is not None and time.monotonic() < self._good_until:
            return known
        if known is None:
            with self._lock:
                known = self._snapshot = self._snapshot or sketched(self.contest)
                if known is None:
                    return self._renewed()
        # One makes it anew; who comes meanwhile is shown what was known.
        if not self._lock.acquire(blocking=False):
            return known
        if self._slow or not known.report.whole:
            self._thread = Timer(AFTER_SECONDS, self._renewed_later)
            self._thread.start()
            return known
        try:
            return self._renewed()
        finally:
            self._lock.release()

    def _renewed_later(self) -> None:
        """Makes it anew while nobody waits; the lock is held, and let go."""
        try:
            self._renewed()
        except (StoreError, OSError, ValueError):  # whoever asks next is told, or sees the old one
            self._good_until = time.monotonic() + SLOW_SECONDS
        finally:
            self._lock.release()

    def _renewed(self) -> Snapshot:
        """The contest as it is now, unless somebody has just made it."""
        began = time.monotonic()
        known = self._snapshot
        if known is not None and began < self._good_until:
            return known
        if known is None or known.report.left or known.state != self.store.state():
            known = self._snapshot = taken(self.contest, self.store)
        spent = time.monotonic() - began
        self._slow = spent > SLOW_SECONDS
        self._good_until = time.monotonic() + max(1.0, SHARE * spent)
        return known

    def newest(
        self, bots: Sequence[str] = (), before: int | None = None, count: int = 50
    ) -> list[Listed]:
        """Games, the newest first, from below the number `before` on; those with all of `bots`."""
        found = self.store.listed(bots, before, count)
        for game in found:
            check_words(game.identity, game.faults, game.ending)
        return found

    def close(self) -> None:
        """Closes the store, and stops following games."""
        if self._thread is not None:
            self._thread.join()
        self.broadcasts.close()
        self.store.close()


class Catalogue:
    """The contests that are served, by identifier, in the order in which they were added."""

    def __init__(self, folders: Iterable[Path]) -> None:
        """Opens the contests in these folders. Raises FolderError."""
        self._kept: dict[str, ServedContest] = {}
        self._naming = Lock()  # while a free identifier is looked for
        self.reserved: Callable[[], Mapping[Path, str]] = dict
        """The identifiers that contests had before, by folder: nobody else gets them."""
        try:
            for folder in folders:
                for found in contest_folders(folder):
                    self.add(found)
        except BaseException:
            self.close()
            raise

    def __iter__(self) -> Iterator[ServedContest]:
        return iter(list(self._kept.values()))

    def __len__(self) -> int:
        return len(self._kept)

    def seen(self, organiser: bool) -> list[ServedContest]:
        """The contests that the organiser sees, or everybody else."""
        return [served for served in self if served.public or organiser]

    def find(self, identifier: str) -> ServedContest | None:
        """The contest of that identifier, if there is one."""
        return self._kept.get(identifier)

    def of(self, folder: Path) -> ServedContest | None:
        """The contest of that folder, if it is served."""
        wanted = folder.resolve()
        return next((served for served in self if served.folder.resolve() == wanted), None)

    def remove(self, folder: Path) -> None:
        """Stops serving the contest of that folder."""
        served = self.of(folder)
        if served is not None:
            del self._kept[served.identifier]
            served.close()

    def close(self) -> None:
        """Closes all of them."""
        for served in self:
            served.close()

    def add(self, folder: Path, public: bool = True) -> ServedContest:
        """Serves the contest of a folder from now on. Raises FolderError."""
        try:
            store = open_store(folder)
            try:
                contest = configured(folder, store)
            except StoreError:
                store.close()
                raise
        except StoreError as error:
            raise FolderError(error) from error
        with self._naming:
            reserved = self.reserved()
            own = reserved.get(folder) or identifier_of(contest.name)
            others = {each for other, each in reserved.items() if other != folder}
            identifier = free_name(own, (others | self._kept.keys()).__contains__, "-")
            added = self._kept[identifier] = ServedContest(identifier, folder, store, public)
        if bots := gone_bots(contest):
            _log.warning("%s: %s", folder, gone(bots))
        return added


def identifier_of(name: str) -> str:
    """A name as part of an address: letters, digits and hyphens."""
    return slug(name) or "contest"
