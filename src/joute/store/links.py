"""The chain of a store's rows: each link is a hash of the link before it and of one row.

    link 0 = 16 zero bytes
    link n = BLAKE2b-128(link n-1, then [kind, number of the row, its values] as compact JSON)

So the last link stands for every row before it. The values are those of the columns as they stand
there: a list that is kept as text is a text here, whatever it holds. What goes into a link, to the
byte, is a promise to whoever noted one down: docs/en/storage.md says it again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from joute.i18n.words import Sentence

WIDTH = 16  # bytes of a link
BEGINNING = bytes(WIDTH)
DIGITS = 2 * WIDTH  # of a link in hexadecimal
GROUP = 4  # digits that are printed together
_HEXADECIMAL = rf"[0-9A-Fa-f]{{{DIGITS}}}"

CONFIGURATION, GAME, MARK, NOTE = KINDS = ("configuration", "game", "mark", "note")

VALUES: Mapping[str, tuple[str, ...]] = {
    CONFIGURATION: ("configuration", "seed", "contents", "made_at"),
    GAME: (
        "identity", "lineup", "members", "bots", "map", "set_number", "ending", "returns",
        "plies", "faults", "chain", "record", "played_at", "isolation", "seats",
    ),
    MARK: ("kind", "subject", "who", "why", "made_at"),
    NOTE: ("kind", "content", "made_at"),
}  # fmt: skip
"""The values of a row of each kind, in the order in which they are hashed.

`seats` are lists of seat, points, milliseconds, actions asked for.
"""

# A value that no row of ours holds may be there by hand: it has a text too, and no link follows.
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=repr).encode


class Link(NamedTuple):
    """The place of a link in the chain, from 1, and the link; number 0 is before the first."""

    number: int
    link: bytes

    def shown(self) -> str:
        """The link as people copy it: all its digits, in groups."""
        digits = self.link.hex()
        return " ".join(digits[at : at + GROUP] for at in range(0, DIGITS, GROUP))


class Chained(NamedTuple):
    """A link of a store with the row that it stands for."""

    number: int
    kind: str
    row: int  # its number in its own table
    values: dict[str, Any] | None  # in the order of VALUES; None if the row is not there
    holds: bool  # whether the link follows from the one before it and this row
    expected: int  # the number that a link had to have here


def after(previous: bytes, kind: str, row: int, values: Mapping[str, Any]) -> bytes:
    """The link of a row whose `values` are in the order of VALUES."""
    payload = _encode([kind, row, values]).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(previous + payload, digest_size=WIDTH).digest()


def read_link(text: str) -> bytes:
    """The link that somebody copied: the line that was printed, or its digits, gaps or not.

    Raises ValueError.
    """
    for part in (text, text.rpartition(": ")[2]):
        digits = re.sub(r"[\s:-]", "", part)
        if re.fullmatch(_HEXADECIMAL, digits):
            return bytes.fromhex(digits)
    raise ValueError(Sentence("error.store.link", digits=DIGITS, text=text))
