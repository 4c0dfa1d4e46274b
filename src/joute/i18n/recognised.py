"""English sentences of ours, recognised in a record and worded for its reader.

A record says in English why a bot failed, whatever language was spoken when it was written. The
sentences of the catalog whose keys begin with `error.` are patterns: the part of
a text where one has a value is that value, and may be such a sentence itself.
"""

from __future__ import annotations

import re
import string
from functools import lru_cache

from joute.i18n.figures import figure
from joute.i18n.words import LANGUAGES, Sentence, catalog, english

LONGEST = 2000  # characters of a text that is looked at
_FEWEST = 4  # letters of a sentence with values: fewer stand in texts of any kind
_SURE = 9  # letters with which an error of another program, as `Kind: text`, may be a value


# A value as Python shows it: quotes stand at its ends, or not at all outside of brackets.
_SHOWN = re.compile(r"""b?(['"]).*\1|[^'"]*|[\[({].*""", re.DOTALL)


class _Shown:
    """A value of which only is known how Python shows it."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


_FRAME = re.compile(r'^ *File "', re.MULTILINE)
_TIMED = re.compile(r" m?s\b")  # behind a figure that is a time
_DECIMAL = re.compile(r"\d{1,9}\.\d{1,2}")


class _Figure:
    """A time with decimals, as the language spoken writes it."""

    def __init__(self, text: str) -> None:
        self._value, self._digits = float(text), len(text.partition(".")[2])

    def __str__(self) -> str:
        return figure(self._value, self._digits)


def recognised(text: str) -> Sentence | str:
    """The sentence whose English text this is; the text itself where there is none."""
    if len(text) > LONGEST:
        return text
    return _found(text, len(catalog(LANGUAGES[0]))) or text


def foreign(said: object) -> Sentence:
    """An English sentence of another program or the system: in our words, or else quoted.

    Of an error of the system it is the reason.
    """
    if isinstance(said, UnicodeDecodeError):
        return Sentence("error.foreign.utf8")
    text = str(getattr(said, "strerror", None) or said)
    found = recognised(text)
    return found if isinstance(found, Sentence) else Sentence("error.foreign.other", text=text)


def worded(error: Exception) -> object:
    """An error as people are told of it: one of the system by its file and its reason."""
    if not isinstance(error, OSError):
        return error
    if error.filename is None:
        return foreign(error)
    return Sentence("error.file.named", file=error.filename, reason=foreign(error))


@lru_cache(maxsize=512)
def _found(text: str, size: int) -> Sentence | None:
    """`size` is that of the catalog, which grows with the games that are loaded."""
    frames = _FRAME.search(text)  # a traceback's: no sentence goes on from one to the next
    for key, literals, fields in _patterns(size):
        pieces = _pieces(literals, text)
        if pieces is None or (_letters(literals) < _SURE and any(": " in each for each in pieces)):
            continue
        if frames and any("\n" in piece for piece in pieces[:-1]):
            continue
        values = {
            name: _value(piece, shown, behind)
            for (name, shown), piece, behind in zip(fields, pieces, literals[1:], strict=True)
            if shown is None or _SHOWN.fullmatch(piece)
        }
        if len(values) < len(fields):
            continue
        sentence = Sentence(key, **values)
        if english(sentence) == text:
            return sentence
    return None


@lru_cache(maxsize=1)
def _patterns(size: int) -> list[tuple[str, list[str], list[tuple[str, str | None]]]]:
    """Each sentence of the catalog: its key, its letters around its values, the values' names.

    Those of most letters come first, for they say most.
    """
    found = []
    for key, sentence in catalog(LANGUAGES[0]).items():
        if not key.startswith("error.") or key.startswith("error.config."):
            continue
        literals, fields = [""], []
        for literal, name, _, shown in string.Formatter().parse(sentence):
            literals[-1] += literal
            if name is not None:
                fields.append((name, shown))
                literals.append("")
        if not fields or _letters(literals) >= _FEWEST:
            found.append((key, literals, fields))
    return sorted(found, key=lambda each: -sum(map(len, each[1])))


def _letters(literals: list[str]) -> int:
    return sum(map(str.isalpha, "".join(literals)))


def _pieces(literals: list[str], text: str) -> list[str] | None:
    """The parts of a text between the letters of a sentence, each as short as can be."""
    first, last = literals[0], literals[-1]
    if len(literals) == 1:
        return [] if text == first else None
    if not text.startswith(first) or not text.endswith(last):
        return None
    pieces, at = [], len(first)
    for literal in literals[1:-1]:
        end = text.find(literal, at)
        if end < 0:
            return None
        pieces.append(text[at:end])
        at = end + len(literal)
    return [*pieces, text[at : len(text) - len(last)]]


def _value(text: str, shown: str | None, behind: str) -> object:
    """The value that a piece of a text is, `shown` as Python shows it or as it is.

    `behind`: the letters after it.
    """
    if shown is not None:
        return _Shown(text)
    timed = _TIMED.match(behind) and _DECIMAL.fullmatch(text)
    return _Figure(text) if timed else recognised(text)
