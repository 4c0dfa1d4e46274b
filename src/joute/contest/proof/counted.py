"""The rows counted by the files of results, and whether the store still has all of them.

A database may lose its last rows without a trace of its own: where SQLite's write-ahead log is
deleted after a kill, or an older copy is put in its place. The files of results, which name the
last link of the rows they were made from, tell.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from joute.contest.config.contest import Contest
from joute.contest.errors import FolderError
from joute.contest.folder import has_store, now, opened_store
from joute.contest.proof.difference import Difference
from joute.contest.report.standings import STANDINGS_JSON, STANDINGS_TXT
from joute.contest.report.summary import SUMMARY
from joute.contest.run.playing import Folder
from joute.store.links import DIGITS, Link
from joute.store.model import LOST
from joute.store.store import Store, StoreError

MOST_ROWS = 1 << 31  # that a column of numbers holds


def files_of_results(folder: Path) -> dict[str, bytes]:
    """The content of each file of results that can be read, by its name."""
    found = {}
    for name in (STANDINGS_JSON, STANDINGS_TXT, SUMMARY):
        with suppress(OSError):
            found[name] = (folder / name).read_bytes()
    return found


def counted(files: Mapping[str, bytes]) -> Iterator[tuple[str, Link]]:
    """The files of results that name a link, with that link."""
    for name in (STANDINGS_JSON, SUMMARY):
        try:
            found = json.loads(files.get(name, b""))
        except (ValueError, RecursionError):
            continue
        link = link_in(found)
        if link is not None:
            yield name, link


def link_in(found: object) -> Link | None:
    """The link that plain data of results name."""
    if not isinstance(found, dict):
        return None
    rows, link = found.get("rows"), found.get("link")
    if type(rows) is not int or not 0 <= rows < MOST_ROWS:
        return None
    if not isinstance(link, str) or len(link) != DIGITS:
        return None
    with suppress(ValueError):
        return Link(rows, bytes.fromhex(link))
    return None


def lost(files: Mapping[str, bytes], store: Store) -> Iterator[Difference]:
    """The rows that the files of results have counted and the store does not have (any more)."""
    for name, link in counted(files):
        if link.number > 0 and store.link_at(link.number) != link.link:
            kept = store.last_link().number
            key = "lost" if kept < link.number else "another_store"
            yield Difference(key=key, values={"file": name, "rows": link.number, "kept": kept})


def lost_rows(contest: Contest) -> Difference | None:
    """The loss of rows of a contest, if any, seen from outside. Raises FolderError."""
    folder = Path(contest.folder)
    if not has_store(folder):
        return next(
            (
                Difference(key="lost", values={"file": name, "rows": link.number, "kept": 0})
                for name, link in counted(files_of_results(folder))
            ),
            None,
        )
    with opened_store(folder, contest.store) as store:
        return next(lost(files_of_results(folder), store), None)


def note_lost(folder: Folder) -> None:
    """Has the store itself say, for good, what it has lost. Raises FolderError."""
    try:
        kept = folder.store.last_link().number
        for name, link in counted(files_of_results(folder.path)):
            if link.number and folder.store.link_at(link.number) != link.link:
                content = {"file": name, "rows": link.number, "link": link.link.hex(), "kept": kept}
                folder.store.note(LOST, content, now())
                return
    except StoreError as error:
        raise FolderError(error) from error
