"""The similarity of two programs in Python, whatever they call things and however they look.

A program is taken as the sequence of its tokens: names are all alike, and so are numbers and texts;
comments, layout and docstrings are left out. Of each run of `RUN` tokens a fingerprint is kept, as
in winnowing (Schleimer, Wilkerson and Aiken, 2003, without the selection: programs are short here).
The likeness of two is the share of the smaller one's fingerprints that the other has. What all were
given, templates and the like, is no likeness.
"""

from __future__ import annotations

import io
import keyword
import tokenize
from collections.abc import Collection, Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

RUN = 12  # tokens
FEWEST = 25  # fingerprints of a program of its own, of which a likeness says something
_NAME, _NUMBER, _TEXT = "n", "0", "''"
_LAYOUT = (
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENCODING, tokenize.ENDMARKER,
)  # fmt: skip
_BEFORE_STATEMENT = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING)


class Fingerprints(NamedTuple):
    """A program's fingerprints, each with the lines (from 1) that it lies on, first time it comes.

    They compare within one process only.
    """

    lines: dict[int, tuple[int, int]]

    def without(self, given: Collection[int]) -> Fingerprints:
        """Those that are not among the given ones."""
        return Fingerprints({key: at for key, at in self.lines.items() if key not in given})


class Similarity(NamedTuple):
    """Two programs, by their places in a list, and the share, 0..1, that they have in common."""

    one: int
    other: int
    share: float


def fingerprints(code: str) -> Fingerprints:
    """The fingerprints of a program; of one that cannot be read, those up to the error."""
    tokens = _tokens(code)
    found: dict[int, tuple[int, int]] = {}
    for at in range(len(tokens) - RUN + 1):
        run = tokens[at : at + RUN]
        found.setdefault(hash(tuple(word for word, _ in run)), (run[0][1], run[-1][1]))
    return Fingerprints(found)


def similarity(one: Fingerprints, other: Fingerprints) -> float:
    """The share, 0..1, of the smaller one's fingerprints; 0 where one is too short to tell."""
    smaller = min(len(one.lines), len(other.lines))
    if smaller < FEWEST:
        return 0.0
    return len(one.lines.keys() & other.lines.keys()) / smaller


def alike(programs: Sequence[Fingerprints], least: float) -> list[Similarity]:
    """The pairs of programs that have at least such a share in common, the most alike first."""
    found = [
        Similarity(one, other, similarity(programs[one], programs[other]))
        for one, other in combinations(range(len(programs)), 2)
    ]
    kept = [each for each in found if each.share >= least]
    return sorted(kept, key=lambda each: (-each.share, each.one, each.other))


def shared_lines(own: Fingerprints, other: Fingerprints) -> set[int]:
    """The lines of a program that lie in a run of tokens which the other has too."""
    common = own.lines.keys() & other.lines.keys()
    return {line for key in common for line in _span(own.lines[key])}


def _span(ends: tuple[int, int]) -> Iterable[int]:
    return range(ends[0], ends[1] + 1)


def _tokens(code: str) -> list[tuple[str, int]]:
    """The tokens, each with its line."""
    found: list[tuple[str, int]] = []
    before = tokenize.ENCODING
    try:
        for token in tokenize.generate_tokens(io.StringIO(code).readline):
            alone = before in _BEFORE_STATEMENT and token.type == tokenize.STRING
            if token.type not in (tokenize.COMMENT, tokenize.NL):
                before = token.type
            if token.type not in _LAYOUT and not alone:
                found.append((_word(token), token.start[0]))
    except (tokenize.TokenError, SyntaxError, ValueError):
        pass  # what came before can be compared
    return found


def _word(token: tokenize.TokenInfo) -> str:
    if token.type == tokenize.NAME:
        return token.string if keyword.iskeyword(token.string) else _NAME
    if token.type == tokenize.NUMBER:
        return _NUMBER
    if token.type == tokenize.OP:
        return token.string
    return _TEXT
