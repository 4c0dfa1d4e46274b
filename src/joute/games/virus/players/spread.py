"""A policy of Virus by hand: stones that turn are good, empty cells around the new one bad."""

import math
from typing import NamedTuple

import numpy as np

from joute.core.arrays import index, popcount
from joute.core.interface import implements
from joute.games.virus.rules import AROUND, FULL, MOVER

TURNED, OPEN, PASSED = 0.6, -0.1, -6.0


class Spread(NamedTuple):
    """The policy."""

    exps: np.ndarray


def spread():
    return Spread(np.array([[math.exp(TURNED * t + OPEN * e) for e in range(10)] for t in range(10)]))


@implements(Spread, "prefer")
def _spread(policy, game, state, actions, count, weights):
    size = index(game.size)
    other = 2 - 2 * int(state[MOVER])
    empty_low = int(FULL[size, 0]) & ~int(state[0] | state[2])
    empty_high = int(FULL[size, 1]) & ~int(state[1] | state[3])
    for each in range(count):
        cell = index(int(actions[index(each)]))
        if cell == size * size:
            weights[index(each)] = 0.001
        else:
            low, high = int(AROUND[size, cell, 0]), int(AROUND[size, cell, 1])
            turned = popcount(low & int(state[index(other)])) + popcount(high & int(state[index(other + 1)]))
            empty = popcount(low & empty_low) + popcount(high & empty_high)
            weights[index(each)] = policy.exps[index(turned), index(empty)]
