"""Checks that columns hold values of their kind: SQLite accepts any value in any column.

A reader of a row that somebody changed is told which row it is, instead of failing on it. Only
values that could not be read are looked for here; `joute verify` finds the rest. All raise
DamagedError.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import isfinite
from typing import Any

from zstandard import ZstdCompressor, ZstdDecompressor, ZstdError, frame_content_size

from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.store.links import WIDTH, Link
from joute.store.model import KINDS, DamagedError, Note

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def text_of(value: Any) -> str:
    """Compact JSON."""
    return _encode(value)


def faults_text(faults: Sequence[Any]) -> str:
    """A game's faults; most games have none, which is the empty text."""
    return text_of(faults) if faults else ""


def tuple_of(text: str) -> tuple[Any, ...]:
    """A list made text, as a tuple. Raises ValueError or TypeError for what is none."""
    found = json.loads(text)
    if not isinstance(found, list):
        raise ValueError("it is no list")
    return tuple(found)


LARGEST = 1 << 28  # bytes of a record, so that no few bytes become all the memory there is
LEVEL = 3  # above, twice the time buys a few hundredths of the size


def pack(record: bytes) -> bytes:
    """A record as one frame, which knows its size and has a checksum."""
    return ZstdCompressor(level=LEVEL, write_checksum=True).compress(record)


def unpack(frame: bytes) -> bytes:
    """The record of a frame. Raises ValueError if it is damaged."""
    try:
        if not 0 <= frame_content_size(frame) <= LARGEST:
            raise ValueError(Sentence("error.store.size", most=LARGEST >> 20))
        return ZstdDecompressor().decompress(frame)
    except (ZstdError, TypeError) as error:
        raise ValueError(foreign(error)) from None


IDENTITY_DIGITS = 32
_remembered = lru_cache(maxsize=4096)(tuple_of)  # most texts of a column stand there often
_TOO_MUCH = 1e300  # no return comes near, nor do what is no number and the infinite
_FAULT = {"seat": int, "ply": int, "fault": str, "detail": str, "cost": str}
_HEXADECIMAL = frozenset("0123456789abcdef")


def check_texts(table: str, row: int, names: Sequence[str], values: Sequence[Any]) -> None:
    """All of these columns must hold texts."""
    for name, value in zip(names, values, strict=True):
        if not isinstance(value, str):
            raise DamagedError(table, row, name, value)


def check_counts(row: int, names: Sequence[str], values: Sequence[Any]) -> None:
    """These columns of a game must hold whole numbers."""
    for name, value in zip(names, values, strict=True):
        if type(value) is not int:
            raise DamagedError("games", row, name, value)


def check_identity(row: int, identity: Any) -> None:
    """A game's identity must be a hash."""
    is_text = isinstance(identity, str) and len(identity) == IDENTITY_DIGITS
    if not is_text or not _HEXADECIMAL.issuperset(identity):
        raise DamagedError("games", row, "identity", identity)


def check_mark(row: int, kind: str) -> None:
    """A decision must be of a kind that there is."""
    if kind not in KINDS:
        raise DamagedError("marks", row, "kind", kind)


def check_link(link: Link) -> None:
    """A link must have its bytes."""
    found: object = link.link
    if not isinstance(found, bytes) or len(found) != WIDTH:
        raise DamagedError("links", link.number, "link", found)


def note_of(row: int, kind: str, content: str, made_at: str) -> Note:
    """A note as it was read."""
    check_texts("notes", row, ("kind", "content", "made_at"), (kind, content, made_at))
    return Note(kind, object_in("notes", row, "content", content), made_at)


def object_in(table: str, row: int, name: str, text: str) -> dict[str, Any]:
    """The object in a column."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise DamagedError(table, row, name, text)
    return found


def names_in(row: int, name: str, text: Any) -> tuple[str, ...]:
    """The bots' names in a column of a line-up."""
    return _words("lineups", row, name, text)


def words_in(row: int, name: str, text: Any) -> tuple[str, ...]:
    """The words in a column of a game."""
    return _words("games", row, name, text)


def numbers_in(row: int, name: str, text: Any, seats: int) -> tuple[float, ...]:
    """The numbers, one a seat, in a column of a game."""
    found = _list("games", row, name, text, _remembered)
    if len(found) != seats or not all(map(_is_number, found)):
        raise DamagedError("games", row, name, text)
    return found


def faults_in(row: int, text: Any, seats: int) -> list[dict[str, Any]]:
    """The faults of a game."""
    found = list(_list("games", row, "faults", text)) if text != "" else []
    if not all(_is_fault(each, seats) for each in found):
        raise DamagedError("games", row, "faults", text)
    return found


def check_seats(row: int, taken: Sequence[Sequence[Any]], seats: int) -> None:
    """A game must have its seats' figures: points, finite milliseconds, actions asked for."""
    if len(taken) != seats:
        counts = Sentence("error.store.seats", seats=seats, found=len(taken))
        raise DamagedError("games", row, "lineup", counts)
    for each in taken:
        if [type(value) for value in each] != [int, float, int] or not isfinite(each[1]):
            place = Sentence("error.store.of_game", game=row)
            raise DamagedError("seats", place, "points, cpu_ms, asked", tuple(each))


def _words(table: str, row: int, name: str, text: Any) -> tuple[str, ...]:
    found = _list(table, row, name, text, _remembered)
    if not all(isinstance(each, str) for each in found):
        raise DamagedError(table, row, name, text)
    return found


def _list(
    table: str,
    row: int,
    name: str,
    text: Any,
    read: Callable[[str], tuple[Any, ...]] = tuple_of,
) -> tuple[Any, ...]:
    try:
        return read(text)
    except (TypeError, ValueError, RecursionError):
        raise DamagedError(table, row, name, text) from None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and type(value) is not bool and abs(value) < _TOO_MUCH


def _is_fault(value: object, seats: int) -> bool:
    return (
        isinstance(value, Mapping)
        and all(type(value.get(name)) is kind for name, kind in _FAULT.items())
        and 0 <= value["seat"] < seats
    )
