"""Habits of Love Letter: which of two cards a player who searches plays, as learned from its games.

The chance to play the one and to keep the other, by how many cards are left in the deck, how many
others are still in the round and whether any of them can be chosen. `joute learn love-letter` finds
it; the file says with which options.
"""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from joute.core.arrays import index, popcount
from joute.core.interface import inline
from joute.core.weights import read_weights
from joute.games.love_letter.state import ALIVE, BOTTOM_COUNT, CARDS, RANDOM, targets

LEARNED = Path(__file__).with_name("learned.npz")
MIDDLE, LATE = 9, 4  # with fewer cards in the deck the round is in its middle, or late
STAGES = 3
CROWDS = 3  # one other in the round, two, more
SHAPE = STAGES, CROWDS, 2, CARDS, CARDS
SIZE = STAGES * CROWDS * 2 * CARDS * CARDS


@inline
def stage(deck: int) -> int:
    """The stage of a round with so many cards in the deck: 0, 1 or 2."""
    return int(deck < MIDDLE) + int(deck < LATE)


@inline
def crowd(others: int) -> int:
    """The number of a crowd of so many others in the round: 0, 1 or 2."""
    return min(max(others, 1), CROWDS) - 1


@inline
def plays_first(habits: Any, state: Any, one: int, other: int) -> float:
    """The chance that of two cards the player to move plays the first, where both may be played.

    `habits` is float64[STAGES, CROWDS, 2, CARDS, CARDS]: stage, crowd, nobody to choose, played,
    kept.
    """
    now = stage(int(state[RANDOM]) + int(state[BOTTOM_COUNT]))
    others = crowd(popcount(int(state[ALIVE])) - 1)
    alone = int(targets(state) == 0)
    return float(habits[index(now), index(others), index(alone), index(one), index(other)])


@cache
def learned() -> np.ndarray:
    """The habits that are shipped: float64[STAGES, CROWDS, 2, CARDS, CARDS]."""
    return load(LEARNED).reshape(SHAPE).astype(np.float64)


def load(path: Path) -> np.ndarray:
    """Habits from a file, float32[SIZE]. Raises ValueError for a file of something else."""
    return read_weights(path, SIZE)
