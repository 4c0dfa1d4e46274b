"""The folder of a contest and its store, opened for reading.

    contest.sqlite          what was played, and the records (see joute.store)
    store                   instead, the URL of the database, without its password
    records/IDENTITY.jsonl  a record as a file, in folders of older versions
    standings.json, .txt    written at the end of a run
    summary.json            of a large contest, see joute.contest.report.summary
    live/NAME.jsonl         a game that is being played, see joute.play.broadcast
    lock                    held by whoever plays into the folder, see joute.contest.run.playing

A game's row and its record are written in one transaction: after a kill at any moment both are
there or neither is, and the game is played again.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from joute.contest.config.contest import Contest, from_json
from joute.contest.contents import known_contents
from joute.contest.errors import FolderError
from joute.contest.run.ledger import KnownResults, Ledger
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.machine import ShortageError
from joute.store.links import Link
from joute.store.model import StoredGame, StoreError

if TYPE_CHECKING:
    from joute.store.store import Store

DATABASE = "contest.sqlite"
ELSEWHERE = "store"
RECORDS = "records"
LOCK = "lock"


def has_store(path: Path) -> bool:
    """Whether a folder is that of a contest which was played."""
    return (path / DATABASE).is_file() or (path / ELSEWHERE).is_file()


def holds_contest(folder: Path) -> bool:
    """Whether a folder is that of a contest which was played, or holds such folders."""
    return bool(_inside(folder))


def _inside(folder: Path) -> list[Path]:
    if has_store(folder):
        return [folder]
    inside = sorted(folder.iterdir()) if folder.is_dir() else []
    return [path for path in inside if path.is_dir() and has_store(path)]


def contest_folders(folder: Path) -> list[Path]:
    """The contest's folder itself, or those of contests in it. Raises FolderError without any."""
    found = _inside(folder)
    if not found:
        raise FolderError(Sentence("error.folder.no_contests", folder=folder))
    return found


def open_store(path: Path, store: str | None = None) -> Store:
    """The open store of a contest's folder, at the URL `store` if one is given.

    Raises StoreError, FolderError if the folder's results are elsewhere or it cannot say where.
    """
    # Where nothing is stored, as in a match, nobody waits for the database's library.
    from joute.store.store import Store, public_url

    before = _remembered(path / ELSEWHERE)
    if store is None:
        return Store.in_file(path / DATABASE) if before is None else Store(before)
    if before is None and (path / DATABASE).is_file():
        before = DATABASE
    if before not in (None, public_url(store)):
        places = {"folder": path, "before": before, "store": store}
        raise FolderError(Sentence("error.folder.elsewhere", **places))
    return Store(store)


def _remembered(file: Path) -> str | None:
    """The URL that a folder's file has of its database; None without that file.

    The path of an SQLite file, where it is not absolute, is from the folder's own place on.
    """
    from joute.store.store import missing_file, placed, public_url

    if not file.is_file():
        return None
    try:
        written = public_url(file.read_text(encoding="utf-8").strip())
        url = placed(written, file.resolve().parent.parent)
        if (gone := missing_file(url)) is None:
            return url
        missing = foreign(os.strerror(errno.ENOENT))
        reason: object = Sentence("error.file.named", file=gone, reason=missing)
    except UnicodeDecodeError as error:
        reason = Sentence("error.file.utf8", byte=error.start)
    except StoreError as error:
        reason = error
    raise FolderError(Sentence("error.file.named", file=file, reason=reason))


def configured(folder: Path, store: Store) -> Contest:
    """The configuration in force, wherever the folder lies now. Raises StoreError."""
    kept = store.configurations()
    if not kept:
        raise StoreError(Sentence("error.folder.not_begun", folder=folder))
    try:
        contest = from_json(kept[-1])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        reason = Sentence("error.folder.configuration", folder=folder, reason=foreign(error))
        raise StoreError(reason) from None
    elsewhere = _remembered(folder / ELSEWHERE)  # as it is compared with it, unlike the store's own
    return msgspec.structs.replace(moved_to(folder, contest), store=elsewhere)


def moved_to(folder: Path, contest: Contest) -> Contest:
    """The contest of a folder, wherever that lies now, with its bots if they lie there too."""
    here = folder.resolve()
    base = (here / os.path.relpath(contest.base, contest.folder)).resolve()
    files = [each.bot for each in contest.bots if not Path(each.bot).is_absolute()]
    along = any((base / each).exists() for each in files) or not Path(contest.base).is_dir()
    return msgspec.structs.replace(
        contest, folder=str(here), base=str(base) if along else contest.base
    )


def known(contest: Contest) -> KnownResults:
    """The results in a contest's folder, to be read only; none if it is new."""
    path = Path(contest.folder)
    if not has_store(path):
        return KnownResults(None, Ledger(contest.players), {})
    with opened_store(path, contest.store) as store:
        found = known_to(store, contest)
        return found._replace(contents=known_contents(contest, store, found.in_force))


def known_to(store: Store, contest: Contest) -> KnownResults:
    """The results of a contest in an open store."""
    games = Ledger.of(contest.players, store.results())
    return KnownResults(store.seed(), games, store.in_force())


def stored_games(path: Path, store: str | None = None) -> tuple[str | None, dict[str, StoredGame]]:
    """The seed and the games of a folder, whole; nothing if it is new."""
    if not has_store(path):
        return None, {}
    with opened_store(path, store) as opened:
        return opened.seed(), opened.games()


def last_link(contest: Contest) -> Link | None:
    """The last link of the chain of a contest's rows; None before anything was played."""
    if not has_store(path := Path(contest.folder)):
        return None
    with opened_store(path, contest.store) as store:
        return store.last_link()


@contextmanager
def opened_store(path: Path, store: str | None = None) -> Iterator[Store]:
    """The open store of a folder, for a while. Raises FolderError for what is wrong with it."""
    with store_errors(path), open_store(path, store) as opened:
        yield opened


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """Turns errors of the store of a folder into FolderError or ShortageError."""
    try:
        yield
    except StoreError as error:
        if error.short is not None:
            raise ShortageError(error.short, str(path)) from error
        raise FolderError(error) from error


def now() -> str:
    """The time as the store keeps it: ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")
