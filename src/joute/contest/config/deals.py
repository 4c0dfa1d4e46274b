"""Whether the games of a set have the same deals, or each its own.

The games of a set exchange seats. With the same deals luck weighs less on who is better; but a bot
of somebody's that leaves itself a message, however slowly, knows in the later games what was hidden
in the first. Where something is hidden and bots are such programs, each game is dealt anew.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from joute.contest.schedule.schedule import digest
from joute.core.interface import properties
from joute.core.registry import make

if TYPE_CHECKING:
    from joute.contest.config.config import Contest

SHARED, ANEW = "shared", "anew"
DEALS = (SHARED, ANEW)


def usual(contest: Contest) -> str:
    """How a contest is dealt whose file does not say: as before, if it has begun."""
    from joute.contest.errors import ContestError
    from joute.contest.folder import has_store, looked_at
    from joute.contest.run.isolation import hosted_bots

    hidden = properties(make(contest.game, **contest.maps[0].parameters)).hidden_information
    if not hidden or not hosted_bots(contest):
        return SHARED
    folder = Path(contest.folder)
    try:
        if has_store(folder):
            with looked_at(folder, contest.store) as store:
                if begun := store.configurations():
                    return str(json.loads(begun[-1]).get("deals", SHARED))
    except (ContestError, OSError, ValueError):
        return ANEW  # whoever needs what is in the folder says what is wrong with it
    return ANEW


def seed_of_game(deals: str, seed: str, seats: Sequence[str]) -> str:
    """The seed of the game of a set in which the bots have these seats."""
    return digest(seed, "deal", *seats) if deals == ANEW else seed
