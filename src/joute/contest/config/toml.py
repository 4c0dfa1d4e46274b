"""TOML of strangers: read in a time that its length bounds.

Python's reader takes longer than the square of the number of parts of a dotted key, so those are
counted first; then 16 KiB of whatever text take some hundredths of a second.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from joute.contest.errors import ConfigError
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence

MOST_PARTS = 16  # of a dotted key
_LONG_KEY = re.compile(
    rf"""(?<![\w"'-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{MOST_PARTS}}}[\w"'-]"""
)
_SAID = re.compile(r"(.*?)( \(at (?:line (\d+), column (\d+)|end of document)\))?", re.DOTALL)


def read_file(path: Path) -> tuple[str, dict[str, Any]]:
    """The text of a file and its tables. Raises ConfigError."""
    where = str(path)
    try:
        text = path.read_text(encoding="utf-8")
        return text, read_toml(text)
    except OSError as error:
        reason = Sentence("error.file.unreadable", reason=foreign(error))
        raise ConfigError(where, "", reason) from None
    except UnicodeDecodeError as error:
        raise ConfigError(where, "", Sentence("error.file.utf8", byte=error.start)) from None
    except ValueError as error:
        raise ConfigError(where, "", Sentence("error.toml.invalid", reason=error)) from None


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
    """What Python's reader says of a text, in our words where we know it."""
    said, place, line, column = _SAID.fullmatch(error).groups()  # type: ignore[union-attr]
    at = "at" if line else "at_end" if place else "anywhere"
    return Sentence(f"error.toml.{at}", what=foreign(said), line=line, column=column)


def toml_string(text: str) -> str:
    """A text as TOML writes it, whatever it holds. Raises ValueError for half a surrogate pair."""
    if any("\ud800" <= mark <= "\udfff" for mark in text):
        raise ValueError(Sentence("error.toml.unicode", text=ascii(text)))
    return f'"{"".join(map(_written, text))}"'


def _written(mark: str) -> str:
    if mark in '"\\':
        return f"\\{mark}"
    return mark if mark >= " " and mark != "\x7f" else f"\\u{ord(mark):04x}"
