"""A policy of Virus by hand: stones that turn are good, empty cells around the new one are bad."""

from typing import NamedTuple

import numpy as np

from joute.core.arrays import index, popcount
from joute.core.interface import implements
from joute.games.virus.rules import AROUND, FULL, MOVER

TURNED, OPEN = 0.6, -0.1  # of the logarithm of a weight, by stones that turn and empty cells
MOST = 9  # cells around one, itself included
PASS = 0.001  # the weight of a pass


class Spread(NamedTuple):
    """The policy."""

    weights: np.ndarray  # float64[MOST + 1, MOST + 1], by stones that turn and empty cells


def spread() -> Spread:
    """The policy."""
    turned, empty = np.meshgrid(np.arange(MOST + 1), np.arange(MOST + 1), indexing="ij")
    return Spread(np.exp(TURNED * turned + OPEN * empty))


@implements(Spread, "prefer")
def _spread(policy, game, state, actions, count, weights):
    size = index(game.size)
    other = 2 - 2 * int(state[MOVER])
    their_low, their_high = int(state[index(other)]), int(state[index(other + 1)])
    empty_low = int(FULL[size, 0]) & ~int(state[0] | state[2])
    empty_high = int(FULL[size, 1]) & ~int(state[1] | state[3])
    for each in range(count):
        action = int(actions[index(each)])
        weights[index(each)] = PASS
        if action < game.size * game.size:
            low, high = int(AROUND[size, index(action), 0]), int(AROUND[size, index(action), 1])
            turned = popcount(low & their_low) + popcount(high & their_high)
            empty = popcount(low & empty_low) + popcount(high & empty_high)
            weights[index(each)] = policy.weights[index(turned), index(empty)]
