"""Whether the games of a set have the same deals, or each its own.

The games of a set exchange seats. With the same deals luck weighs less on who is better; but a bot
of somebody's that leaves itself a message, however slowly, knows in the later games what was hidden
in the first. Where something is hidden and bots are such programs, each game is dealt anew.
"""

from __future__ import annotations

from collections.abc import Sequence

from joute.contest.schedule.schedule import digest

SHARED, ANEW = "shared", "anew"
DEALS = (SHARED, ANEW)


def seed_of_game(deals: str, seed: str, seats: Sequence[str]) -> str:
    """The seed of the game of a set in which the bots have these seats."""
    return digest(seed, "deal", *seats) if deals == ANEW else seed
