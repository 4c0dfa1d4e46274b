"""Whether rows hold what only a row of ours holds: SQLite takes anything anywhere.

Whoever reads a row that somebody changed is told which, instead of coming to grief with it. Only
what would not be readable is looked for here; `joute verify` finds the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from joute.store.errors import StoreError
from joute.store.links import WIDTH, Link
from joute.store.marks import KINDS
from joute.store.notes import Note
from joute.store.texts import tuple_of

_TOO_MUCH = 1e300  # no return comes near, nor do what is no number and the infinite
_FAULT = {"seat": int, "ply": int, "fault": str, "detail": str, "cost": str}


def damaged(table: str, number: object, reason: str) -> StoreError:
    """The error of a row that is not as we write them."""
    return StoreError(f"table {table!r}, row {number}: {reason}: the database is damaged")


def check_texts(table: str, number: int, names: Sequence[str], values: Sequence[Any]) -> None:
    """Raise StoreError unless all values are texts."""
    for name, value in zip(names, values, strict=True):
        if not isinstance(value, str):
            raise damaged(table, number, f"{name!r} is {value!r}, which is no text")


def check_mark(number: int, kind: str) -> None:
    """Raise StoreError unless a mark is of a kind that there is."""
    if kind not in KINDS:
        raise damaged("marks", number, f"no mark is of the kind {kind!r}")


def check_link(link: Link) -> None:
    """Raise StoreError unless it is a link."""
    found: object = link.link
    if not isinstance(found, bytes) or len(found) != WIDTH:
        raise damaged("links", link.number, f"a link has {WIDTH} bytes, this is {found!r}")


def note_of(number: int, kind: str, content: str, made_at: str) -> Note:
    """A note as it was read. Raises StoreError."""
    check_texts("notes", number, ("kind", "content", "made_at"), (kind, content, made_at))
    return Note(kind, json_object("notes", number, "content", content), made_at)


def json_object(table: str, number: int, name: str, text: str) -> dict[str, Any]:
    """The object that a text holds. Raises StoreError."""
    import json

    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise damaged(table, number, f"{name!r} is no object in JSON: {cut(text)}")
    return found


def names_in(number: int, name: str, text: str) -> tuple[str, ...]:
    """The bots' names in a column of a line-up. Raises StoreError."""
    found = _list("lineups", number, name, text)
    if not all(isinstance(each, str) for each in found):
        raise damaged("lineups", number, f"{name!r} is no list of names: {cut(text)}")
    return found


def numbers_in(number: int, name: str, text: str, seats: int) -> tuple[float, ...]:
    """The numbers, one a seat, in a column of a game. Raises StoreError."""
    found = _list("games", number, name, text)
    if len(found) != seats or not all(map(_is_number, found)):
        raise damaged("games", number, f"{name!r} is no list of {seats} numbers: {cut(text)}")
    return found


def words_in(number: int, name: str, text: str) -> tuple[str, ...]:
    """The words in a column of a game. Raises StoreError."""
    found = _list("games", number, name, text)
    if not all(isinstance(each, str) for each in found):
        raise damaged("games", number, f"{name!r} is no list of words: {cut(text)}")
    return found


def faults_in(number: int, text: str, seats: int) -> list[dict[str, Any]]:
    """The faults of a game. Raises StoreError."""
    found = list(_list("games", number, "faults", text)) if text else []
    for each in found:
        if not (
            isinstance(each, Mapping)
            and all(type(each.get(name)) is kind for name, kind in _FAULT.items())
            and 0 <= each["seat"] < seats
        ):
            raise damaged("games", number, f"'faults' holds {cut(repr(each))}, which is none")
    return found


def check_seats(number: int, taken: Sequence[Sequence[Any]], seats: int) -> None:
    """Raise StoreError unless a game has its seats' figures: points, milliseconds, asked for."""
    if len(taken) != seats:
        raise damaged("games", number, f"it has {len(taken)} rows of 'seats', expected {seats}")
    for points, cpu_ms, asked in taken:
        if type(points) is not int or type(cpu_ms) is not float or type(asked) is not int:
            raise damaged(
                "seats", f"of game {number}", f"{(points, cpu_ms, asked)!r} are no figures"
            )


def check_counts(number: int, counts: Sequence[Any]) -> None:
    """Raise StoreError unless these columns of a game are whole numbers."""
    for each in counts:
        if type(each) is not int:
            raise damaged("games", number, f"{each!r} is no whole number")


def cut(text: object) -> str:
    """A text of any length, short enough for a sentence."""
    shown = str(text)
    return shown if len(shown) <= 60 else f"{shown[:60]}..."


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and type(value) is not bool and abs(value) < _TOO_MUCH


def _list(table: str, number: int, name: str, text: str) -> tuple[Any, ...]:
    try:
        found = tuple_of(text)
    except (TypeError, ValueError, RecursionError):
        raise damaged(table, number, f"{name!r} is no list in JSON: {cut(text)}") from None
    return found
