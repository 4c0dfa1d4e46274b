"""Decisions about games and bots after they have played: what, who and why.

Most are the organiser's; Joute's own say which games a busy machine has spoilt.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

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


class Decision(msgspec.Struct, frozen=True, order=True):
    """A decision. Of all about one subject the last is in force."""

    kind: str  # one of KINDS
    subject: str  # a game's identity or a bot's name
    who: str
    why: str
    made_at: str  # ISO 8601, UTC


def checked(decision: Decision) -> Decision:
    """The decision itself. Raises ValueError if its kind is not known, or if it lacks something."""
    if decision.kind not in KINDS:
        known = ", ".join(KINDS)
        raise ValueError(Sentence("error.decision.kind", kind=decision.kind, known=known))
    for name, value in msgspec.structs.asdict(decision).items():
        if not value.strip():
            raise ValueError(Sentence("error.decision.missing", kind=decision.kind, name=name))
    return decision


def in_force(decisions: Iterable[Decision]) -> dict[str, Decision]:
    """The decisions that hold, by subject; `decisions` are all, oldest first."""
    last = {decision.subject: decision for decision in decisions}
    return {subject: made for subject, made in last.items() if made.kind != REINSTATED}
