"""Marks: what people decided about games and bots after they had played, with who and why."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from joute.i18n.words import Sentence

ANNULLED, REPLAYED, WITHDRAWN, RETIRED, DISQUALIFIED, REINSTATED = KINDS = (
    "annulled",  # a game counts for nothing
    "replayed",  # a game counts for nothing, and another is played in its place
    "withdrawn",  # a bot plays no more, and what it played counts for nobody
    "retired",  # a bot plays no more; what it played counts
    "disqualified",  # a bot is shut out, and what it played counts for nobody
    "reinstated",  # the game or the bot is back as if nothing had been said
)
OF_GAMES = (ANNULLED, REPLAYED)
OF_BOTS = (WITHDRAWN, RETIRED, DISQUALIFIED)


class Mark(NamedTuple):
    """A decision. Of all about one subject the last is in force."""

    kind: str  # one of KINDS
    subject: str  # a game's identity or a bot's name
    who: str
    why: str
    made_at: str  # ISO 8601, UTC


def checked(mark: Mark) -> Mark:
    """The mark itself. Raises ValueError if it is of no known kind, or leaves something out."""
    if mark.kind not in KINDS:
        raise ValueError(Sentence("error.mark.kind", kind=mark.kind, known=", ".join(KINDS)))
    for name, value in mark._asdict().items():
        if not value.strip():
            raise ValueError(Sentence("error.mark.missing", kind=mark.kind, name=name))
    return mark


def in_force(marks: Iterable[Mark]) -> dict[str, Mark]:
    """The marks that hold, by subject; `marks` are all, oldest first."""
    last = {mark.subject: mark for mark in marks}
    return {subject: mark for subject, mark in last.items() if mark.kind != REINSTATED}
