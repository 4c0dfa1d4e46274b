"""TOML of strangers: read in a time that its length bounds.

Python's reader takes longer than the square of the number of parts of a dotted key, so those are
counted first; then 16 KiB of whatever text take some hundredths of a second.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any

MOST_PARTS = 16  # of a dotted key
_LONG_KEY = re.compile(
    rf"""(?<![\w"'-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{MOST_PARTS}}}[\w"'-]"""
)


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a text. Raises ValueError, which says what is wrong."""
    long = _LONG_KEY.search(text)
    if long is not None:
        line = text.count("\n", 0, long.start()) + 1
        raise ValueError(f"a key has more than {MOST_PARTS} parts (at line {line})")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def toml_string(text: str) -> str:
    """A text as TOML writes it, whatever it holds. Raises ValueError for half a surrogate pair."""
    if any("\ud800" <= mark <= "\udfff" for mark in text):
        raise ValueError(f"{text!a}: is no Unicode text, so TOML cannot hold it")
    return f'"{"".join(map(_written, text))}"'


def _written(mark: str) -> str:
    if mark in '"\\':
        return f"\\{mark}"
    return mark if mark >= " " and mark != "\x7f" else f"\\u{ord(mark):04x}"
