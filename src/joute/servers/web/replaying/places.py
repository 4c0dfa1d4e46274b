"""Where a page finds a game's record: in a contest's store, at a table, in a file that was sent.

A finder gets the request with the parameters of its address, and gives the game or an HTTPException
404 with a sentence.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from fastapi import HTTPException
from starlette.requests import Request

from joute.contest.folder import RECORDS
from joute.play.record import RecordError
from joute.servers.web.contests.access import heard, visible
from joute.servers.web.contests.album import Album
from joute.servers.web.contests.shelf import LONGEST_ID, Kept, Shelf
from joute.servers.web.replaying.recorded import Recorded, read_recorded
from joute.servers.web.silence import Heard
from joute.speech.faults import shown
from joute.speech.words import say
from joute.store.store import StoreError

KEPT_GAMES = 8  # that were proved, for the requests of one page
SMALL_BYTES = 128 * 1024  # of a record whose game is kept so
KEPT_BYTES = 64 * 1024 * 1024  # of the files that were sent, in all
_IDENTITY = re.compile(r"[0-9a-f]{32}")


class Found(NamedTuple):
    """A record, and what a page says of where it is from."""

    content: bytes
    name: str  # of the file, as commands name it
    origin: str = ""  # the contest's name
    home: str = ""  # the address of the contest
    known: Heard = None  # whose messages the reader may read


class Files:
    """The records that readers sent to be shown, the latest; the oldest are forgotten first."""

    def __init__(self, most: int = KEPT_BYTES) -> None:
        self._most = most
        self._kept: OrderedDict[str, Found] = OrderedDict()

    def keep(self, content: bytes, name: str) -> str:
        """The name under which a record is found again. Raises RecordError if it is not true."""
        chain = read_recorded(content).record.chain
        self._kept[chain] = Found(content, name)
        self._kept.move_to_end(chain)
        while sum(len(each.content) for each in self._kept.values()) > self._most:
            self._kept.popitem(last=False)
        return chain

    def get(self, chain: str) -> Found | None:
        """The record of that name, if it is still kept."""
        return self._kept.get(chain)


def of_file(request: Request) -> Found:
    """A record that was sent."""
    identity = request.path_params["identity"]
    files: Files = request.app.state.replay_files
    return _known(files.get(identity), identity)


def of_table(request: Request) -> Found:
    """The game of a table, once it is over."""
    identity = request.path_params["identity"]
    tables = getattr(request.app.state, "tables", None)
    content = None if tables is None else tables.record(identity)
    return _known(content and Found(content, f"{identity}.jsonl"), identity)


def of_contest(request: Request) -> Found:
    """A game of a served contest."""
    identity = request.path_params["identity"]
    kept = served(request, request.path_params["contest"])
    path = kept.folder / RECORDS / f"{identity}.jsonl"
    try:
        content = _content(kept, identity, path) if _IDENTITY.fullmatch(identity) else None
    except StoreError as error:
        raise HTTPException(503, say("web.error.contest", reason=error)) from error
    if content is None:
        return _known(None, identity)
    home = f"/contests/{kept.identifier}"
    name = str(shown(path.resolve()))
    return Found(content, name, kept.contest.name, home, heard(request, kept))


def of_album(request: Request) -> Found:
    """A game of a served folder of records."""
    identity = request.path_params["identity"]
    album: Album | None = request.app.state.albums.get(request.path_params["contest"])
    content = album.record(identity) if album and _IDENTITY.fullmatch(identity) else None
    if album is None or content is None:
        return _known(None, identity)
    path = album.folder / f"{identity}.jsonl"
    return Found(content, str(shown(path.resolve())), album.name, album.home)


def _content(kept: Kept, identity: str, path: Path) -> bytes | None:
    """A game's record: in the store or, of older contests, in a file."""
    found = kept.store.record(identity)
    return path.read_bytes() if found is None and path.is_file() else found


def served(request: Request, identifier: str) -> Kept:
    """A served contest, or HTTPException 404."""
    shelf: Shelf = request.app.state.shelf
    found = shelf.find(identifier)
    if found is None or not visible(request, found):
        raise HTTPException(404, say("web.error.no_contest", name=identifier[:LONGEST_ID]))
    return found


def read(found: Found) -> Recorded:
    """The game of a record that was found, or HTTPException 422 if it is not true."""
    try:
        small = len(found.content) <= SMALL_BYTES
        return _proved(found.content) if small else read_recorded(found.content)
    except RecordError as error:
        raise HTTPException(422, broken(found.name, error)) from None


_proved = lru_cache(KEPT_GAMES)(read_recorded)


def broken(name: str, error: RecordError) -> str:
    """A sentence on a record that is not true."""
    return say("replay.web.broken", file=name, line=error.line, reason=error.reason)


def _known(found: Found | None, identity: str) -> Found:
    if found is None:
        raise HTTPException(404, say("replay.web.missing", identity=identity[:40]))
    return found
