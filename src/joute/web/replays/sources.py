"""The sources of records: a contest's store, a table, a folder, an uploaded file.

A finder takes the request with the parameters of its address, and returns the record or raises
HTTPException 404 with a sentence.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from fastapi import HTTPException
from starlette.requests import Request

from joute.contest.folder import RECORDS
from joute.core.errors import GameError
from joute.core.registry import card
from joute.files import from_here
from joute.i18n.words import language, say
from joute.play.record import RecordError, read_record
from joute.play.withheld import without_words
from joute.store.store import StoreError
from joute.web.compute_queue import ComputeQueue
from joute.web.contests.access import known_files, readable_bots, served_contest
from joute.web.contests.catalogue import ServedContest
from joute.web.contests.records_folder import RecordsFolder
from joute.web.organiser import is_organiser
from joute.web.positions import Readable
from joute.web.replays.recorded import Recorded, read_recorded, size_of

KEPT_BYTES = 64 * 1024 * 1024  # of the files that were sent, in all
SHARE = 4  # one address's files may take a quarter of that
PACKING = 6  # of 9
_DIGITS = 12  # of an identity, enough to name a file
_IDENTITY = re.compile(r"[0-9a-f]{32}")


Make = Callable[[Recorded], bytes]
"""Makes the data that a reader is sent of a game."""


class FoundRecord(NamedTuple):
    """A record, and its origin as a page shows it."""

    content: bytes
    name: str  # of the file, as commands name it
    origin: str = ""  # the contest's name
    home: str = ""  # the address of the contest
    known: Readable = None  # whose messages the reader may read
    sender: str = ""  # the address from which it was sent
    files: Readable = None  # the bots of which the reader may know the files
    whole: bool = True  # whether the reader may have the record as it is
    own: bool = False  # whether the reader has it and its rules here, as the organiser does

    @property
    def download(self) -> bytes:
        """The record as the reader may have it. Raises HTTPException 422 for what is no record."""
        if self.whole:
            return self.content
        try:
            return without_words(self.content, self.known, self.files)
        except RecordError as error:
            raise HTTPException(422, broken(self.name, error)) from None


class UploadedRecords:
    """The latest records that readers uploaded; the oldest are forgotten first."""

    def __init__(self, most: int = KEPT_BYTES) -> None:
        self._most = most
        self._kept: OrderedDict[str, FoundRecord] = OrderedDict()
        self._lock = Lock()

    def keep(self, content: bytes, name: str, sender: str = "") -> str:
        """The name under which a record that was proved is found again: its chain.

        That of a record which lacks what bots said may be claimed by another: it has a hash of its
        own. An address that sends many loses its own first. Raises RecordError for what is no
        record.
        """
        record = read_record(content, partial=True)
        found = record.chain
        if record.withheld:
            found = hashlib.blake2b(content, digest_size=16).hexdigest()
        with self._lock:
            self._kept[found] = FoundRecord(content, name, sender=sender)
            self._kept.move_to_end(found)
            own = [key for key, each in self._kept.items() if sender and each.sender == sender]
            while self._size(own) > self._most // SHARE and len(own) > 1:
                del self._kept[own.pop(0)]
            while self._size(self._kept) > self._most:
                self._kept.popitem(last=False)
        return found

    def _size(self, names: Iterable[str]) -> int:
        return sum(len(self._kept[name].content) for name in names)

    def get(self, name: str) -> FoundRecord | None:
        """The record of that name, if it is still kept."""
        return self._kept.get(name)


def of_file(request: Request) -> FoundRecord:
    """A record that was sent."""
    identity = request.path_params["identity"]
    files: UploadedRecords = request.app.state.replay_files
    return _known(files.get(identity), identity)


def of_table(request: Request) -> FoundRecord:
    """The game of a table, once it is over."""
    identity = request.path_params["identity"]
    tables = getattr(request.app.state, "tables", None)
    content = None if tables is None else tables.record(identity)
    if content is None and tables is not None and identity in tables.names():
        raise HTTPException(404, say("replay.web.running"))
    return _known(content and FoundRecord(content, table_file(identity)), identity)


def table_file(table: str) -> str:
    """The name of the file of a table's record, which no command takes for an option."""
    return f"joute-{table}.jsonl"


def of_contest(request: Request) -> FoundRecord:
    """A game of a served contest."""
    identity = request.path_params["identity"]
    served = served_contest(request, request.path_params["contest"])
    path = served.folder / RECORDS / f"{identity}.jsonl"
    try:
        content = _content(served, identity, path) if _IDENTITY.fullmatch(identity) else None
    except StoreError as error:
        raise HTTPException(503, say("web.error.contest", reason=error)) from error
    if content is None:
        return _known(None, identity)
    with suppress(GameError):
        card(served.contest.game)  # the contest may name a file, which a record alone may not
    return FoundRecord(
        content,
        _named(request, path),
        served.contest.name,
        home=f"/contests/{served.identifier}",
        known=readable_bots(request, served),
        files=known_files(request, served),
        whole=is_organiser(request),
    )


def of_records(request: Request) -> FoundRecord:
    """A game of a served folder of records."""
    identity = request.path_params["identity"]
    folders: dict[str, RecordsFolder] = request.app.state.records_folders
    records = folders.get(request.path_params["contest"])
    content = records.record(identity) if records and _IDENTITY.fullmatch(identity) else None
    if records is None or content is None:
        return _known(None, identity)
    path = records.folder / f"{identity}.jsonl"
    name, own = _named(request, path), is_organiser(request)
    return FoundRecord(content, name, records.name, records.home, own=own)


def _named(request: Request, path: Path) -> str:
    """A record as commands name it: the organiser has its path, others what they download."""
    if is_organiser(request):
        return str(from_here(path.resolve()))
    return f"{path.stem[:_DIGITS]}.jsonl"


def _content(served: ServedContest, identity: str, path: Path) -> bytes | None:
    """A game's record: in the store or, of older contests, in a file."""
    found = served.store.record(identity)
    return path.read_bytes() if found is None and path.is_file() else found


async def read(request: Request, found: FoundRecord) -> Recorded:
    """The game of a record that was found, or HTTPException 422 if it is not true."""
    key = ("recorded", _digest(found.content))
    try:
        return await _computing(request).get(
            request, key, lambda: read_recorded(found.content, strange=True), size_of
        )
    except RecordError as error:
        raise HTTPException(422, broken(found.name, error)) from None


async def made(request: Request, found: FoundRecord, kind: str, make: Make) -> bytes:
    """The data that `make` makes of a game, gzip-compressed. Raises HTTPException 422."""
    recorded = await read(request, found)
    shown = (found.name, found.known, found.own, language())
    key = (kind, recorded.record.chain, _digest(found.content), *shown)

    def work() -> bytes:
        return gzip.compress(make(recorded), PACKING, mtime=0)

    return await _computing(request).get(request, key, work, len)


def _computing(request: Request) -> ComputeQueue:
    computing: ComputeQueue = request.app.state.compute_queue
    return computing


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=16).digest()


def broken(name: str, error: RecordError) -> str:
    """A sentence on a record that is not true."""
    return say("replay.web.broken", file=name, line=error.line, reason=error.reason)


def _known(found: FoundRecord | None, identity: str) -> FoundRecord:
    if found is None:
        raise HTTPException(404, say("replay.web.missing", identity=identity[:40]))
    return found
