"""The [show] table: the parts of a contest that are seen before its results are published.

Nothing of it changes a game, so that it is no part of what stores and seals keep of a contest.
"""

from __future__ import annotations

import re
from typing import Any

import msgspec

from joute.contest.config.reading import Reader, one_of, yes_or_no
from joute.i18n.words import Sentence

OFF, NAMED, ANONYMOUS = LADDERS = ("off", "named", "anonymous")
UPLOAD = "upload"
_HOUR = re.compile(r"([01]\d|2[0-3]):[0-5]\d")


class Showing(msgspec.Struct, frozen=True):
    """The choices of a contest that is open for bots: who sees what of it."""

    listed: bool = True  # among the contests, for everybody
    ladder: str = OFF  # one of LADDERS: the ranking of the bots handed in so far
    ladder_at: str = UPLOAD  # played after each upload, or daily at such a time: "03:00"


def read_showing(table: Reader) -> Showing:
    """The [show] table. Raises ConfigError."""
    usual = Showing()
    found = Showing(
        listed=table.take("listed", yes_or_no, usual.listed),
        ladder=table.take("ladder", one_of(*LADDERS), usual.ladder),
        ladder_at=table.take("ladder_at", _time, usual.ladder_at),
    )
    table.finish()
    return found


def _time(value: Any) -> str:
    if value != UPLOAD and not (isinstance(value, str) and _HOUR.fullmatch(value)):
        raise ValueError(Sentence("error.config.ladder_at"))
    return str(value)
