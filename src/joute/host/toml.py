"""Reading TOML that strangers wrote: in bounded time, with errors in words."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence

MOST_PARTS = 16  # of a dotted key
_LONG_KEY = re.compile(
    rf"""(?<![\w"'-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{MOST_PARTS}}}[\w"'-]"""
)
_SAID = re.compile(r"(.*?)( \(at (?:line (\d+), column (\d+)|end of document)\))?", re.DOTALL)


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a text. Raises ValueError, which says what is wrong."""
    long = _LONG_KEY.search(text)
    if long is not None:
        line = text.count("\n", 0, long.start()) + 1
        raise ValueError(Sentence("error.toml.parts", most=MOST_PARTS, line=line))
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError(Sentence("error.file.nested")) from None
    except ValueError as error:
        raise ValueError(_worded(str(error))) from None


def _worded(error: str) -> Sentence:
    """The sentence for an error of Python's reader."""
    said, place, line, column = _SAID.fullmatch(error).groups()  # type: ignore[union-attr]
    at = "at" if line else "at_end" if place else "anywhere"
    return Sentence(f"error.toml.{at}", what=foreign(said), line=line, column=column)
