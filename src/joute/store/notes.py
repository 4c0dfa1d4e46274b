"""Notes: what the program itself has to say of what happened to a store, with the time."""

from __future__ import annotations

from typing import Any, NamedTuple

CHAINED = "chained"  # {rows, layout}: so many rows were chained when an older layout was changed
LOST = "lost"  # {file, rows, link, kept}: a file of results has so many rows, there were `kept`


class Note(NamedTuple):
    """Something that was noted. Whoever writes a kind of note says what is in it."""

    kind: str
    content: dict[str, Any]
    made_at: str  # ISO 8601, UTC
