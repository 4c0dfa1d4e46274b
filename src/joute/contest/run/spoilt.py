"""Games that the machine spoilt: too busy to judge a bot by time on the wall, or to play at all.

Each is noted by a decision of Joute's own, in the store's transaction that keeps the game, if there
is one; so nothing is thrown away, and another game is played in its place from a seed of its own,
as where the organiser has one replayed. Who goes on after a kill finds the same decisions, the same
seeds and the same number of tries.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from joute.contest.folder import now
from joute.store.decisions import REPLAYED, Decision

OURS = "joute"
"""Who makes such a decision; nobody else may call themselves so."""

TRIES = 3
"""After so many nobody but the bot that has no answer is at fault."""

BUSY = "the machine was too busy to judge by time on the wall"

_SEATS = re.compile(r"seats? (\d+(?:, \d+)*): ")


def note(identity: str, seats: Sequence[int], reason: str) -> Decision:
    """The decision of a spoilt game; `seats` are those of the bots that were waited for, if any."""
    who = ", ".join(map(str, seats))
    told = f"seat{'s' if len(seats) > 1 else ''} {who}: {reason}" if seats else reason
    return Decision(REPLAYED, identity, OURS, told, now())


def is_ours(decision: Decision) -> bool:
    """Whether Joute itself made a decision."""
    return decision.who == OURS


def waited_for(decision: Decision, bots: Sequence[str]) -> list[str]:
    """Which of a spoilt game's bots, given in seat order, the decision says were waited for.

    All of them where it does not say.
    """
    found = _SEATS.match(decision.why)
    seats = [int(each) for each in found[1].split(", ")] if found else list(range(len(bots)))
    return [bots[seat] for seat in seats if seat < len(bots)]
