"""What a check finds: a sentence that is not true of the results as they should be."""

from __future__ import annotations

from typing import Any

import msgspec

from joute.text import cut


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is not as it was made; the sentence `proof.KEY` of the catalogs tells it."""

    key: str
    values: dict[str, Any] = {}  # of the sentence
    game: str = ""  # the identity of the game it is in, "" where it is in none
    line: int | None = None  # of that game's record, from 1


def shown(value: object) -> str:
    """A value short enough for a sentence."""
    text = value if isinstance(value, str) else repr(value)
    return cut(text, LONGEST)


LONGEST = 80  # characters of a value
