"""Habits of Love Letter: how a player who searches chooses, as learned from its games.

Which of two cards it plays, which card its Guard names, whether its Prince is for itself, and which
of a Chancellor's cards it keeps: each by how many cards are left in the deck and how many others
are still in the round. `joute learn love-letter` finds them; the file says with which options.
"""

from functools import cache
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import index, popcount
from joute.core.interface import inline
from joute.core.weights import read_weights
from joute.games.love_letter.state import ALIVE, BOTTOM_COUNT, CARDS, RANDOM, targets

LEARNED = Path(__file__).with_name("learned.npz")
MIDDLE, LATE = 9, 4  # with fewer cards in the deck the round is in its middle, or late
STAGES = 3
CROWDS = 3  # one other in the round, two, more
NOWHERE = -1
LEVELS = 2  # most copies are unseen, or fewer: none that may be named has more than two


class ChoiceHabits(NamedTuple):
    """The habits of a player, by the stage of the round and the crowd in it.

    Chances are of one of two choices; weights are in proportion to how often each of the choices
    that there are is taken.
    """

    plays: np.ndarray  # chance float64[STAGES, CROWDS, 2, CARDS, CARDS]: nobody to choose, the
    # card played, the card kept
    guesses: np.ndarray  # weight float64[STAGES, CROWDS, LEVELS] of naming a card, by its copies
    oneself: np.ndarray  # chance float64[STAGES, CROWDS, CARDS]: a Prince is for who plays it, by
    # the card kept, where it may be for another
    keeps: np.ndarray  # weight float64[STAGES, CROWDS, CARDS] of keeping a card of a Chancellor's


SHAPES: tuple[tuple[int, ...], ...] = (
    (STAGES, CROWDS, 2, CARDS, CARDS),
    (STAGES, CROWDS, LEVELS),
    (STAGES, CROWDS, CARDS),
    (STAGES, CROWDS, CARDS),
)  # of the parts of ChoiceHabits
SIZE = sum(map(prod, SHAPES))


@inline
def stage(deck: int) -> int:
    """The stage of a round with so many cards in the deck: 0, 1 or 2."""
    return int(deck < MIDDLE) + int(deck < LATE)


@inline
def crowd(others: int) -> int:
    """The number of a crowd of so many others in the round: 0, 1 or 2."""
    return min(max(others, 1), CROWDS) - 1


@inline
def stage_of(state: Any) -> int:
    """The stage of the round of a state."""
    return stage(int(state[RANDOM]) + int(state[BOTTOM_COUNT]))


@inline
def crowd_of(state: Any) -> int:
    """The number of the crowd around the player to move."""
    return crowd(popcount(int(state[ALIVE])) - 1)


@inline
def plays_first(habits: ChoiceHabits, state: Any, one: int, other: int) -> float:
    """The chance that of two cards the player to move plays the first, where both may be played."""
    now, others, alone = stage_of(state), crowd_of(state), int(targets(state) == 0)
    return float(habits.plays[index(now), index(others), index(alone), index(one), index(other)])


@inline
def level(copies: int, most: int) -> int:
    """The level of a character with so many copies unseen, where there are `most` of another.

    NOWHERE, if none is unseen: such a one is named only where all are.
    """
    if copies == most:
        return 0
    return 1 if copies > 0 else NOWHERE


def of_weights(weights: np.ndarray) -> ChoiceHabits:
    """The habits of a row of weights, float[SIZE]: those of each kind, one after the other."""
    ends = np.cumsum([prod(shape) for shape in SHAPES])[:-1]
    parts = np.split(weights.astype(np.float64), ends)
    return ChoiceHabits(*(part.reshape(shape) for part, shape in zip(parts, SHAPES, strict=True)))


def as_weights(habits: ChoiceHabits) -> np.ndarray:
    """The row of weights of habits, float32[SIZE]."""
    return np.concatenate([part.ravel() for part in habits]).astype(np.float32)


@cache
def learned() -> ChoiceHabits:
    """The habits that are shipped."""
    return of_weights(load(LEARNED))


def load(path: Path) -> np.ndarray:
    """Habits from a file, float32[SIZE]. Raises ValueError for a file of something else."""
    return read_weights(path, SIZE)
