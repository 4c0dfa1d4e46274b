"""Names that are made of others: one that is still free, one that fits an address or a file.

A file of its own, because all layers use it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from itertools import chain, count

LONGEST_SLUG = 40  # characters


def free_name(name: str, taken: Callable[[str], bool], between: str = " ") -> str:
    """The name, or the first of NAME 2, NAME 3 ... that is not taken.

    `between` stands between the name and its number.
    """
    numbered = (f"{name}{between}{number}" for number in count(2))
    return next(each for each in chain([name], numbered) if not taken(each))


def slug(name: str) -> str:
    """A name in small letters, digits and hyphens, LONGEST_SLUG at most, which may be nothing."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:LONGEST_SLUG]


def numbered_name(number: int, name: str) -> str:
    """The name of one of several files without its ending, so that they stand in order."""
    return f"{number:02d}-{slug(name)}".rstrip("-")
