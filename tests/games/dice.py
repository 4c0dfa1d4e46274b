"""A game for tests of searches: choose a die, throw it, do so twice; the higher sum wins.

State: int64[4]: plies, the die thrown now, the sum of player 0, that of player 1.
"""

from typing import NamedTuple

import numpy as np

from joute.core.interface import CHANCE, OVER, Properties, implements

PLIES, DIE, SUMS = 0, 1, 2
FACES = ((3, 3, 3), (0, 2, 9), (1, 4, 5))
WEIGHTS = ((0.25, 0.25, 0.5), (0.6, 0.2, 0.2), (0.3, 0.4, 0.3))


class Dice(NamedTuple):
    """Two players, two throws each."""


@implements(Dice)
def properties(game):
    return Properties("dice", 2, False, True, False, True, 3, 3, 3, 8, -1.0, 1.0, 1)


@implements(Dice)
def start(game):
    return np.zeros(4, np.int64)


@implements(Dice)
def mover(game, state):
    if state[PLIES] == 8:
        return OVER
    return CHANCE if state[PLIES] & 1 else int(state[PLIES] >> 1) & 1


@implements(Dice)
def legal(game, state, out):
    for die in range(3):
        out[die] = die
    return 3


@implements(Dice)
def chances(game, state, out, weights):
    for face in range(3):
        out[face] = face
        weights[face] = WEIGHTS[state[DIE]][face]
    return 3


@implements(Dice)
def play(game, state, action):
    if state[PLIES] & 1:
        state[SUMS + (int(state[PLIES] >> 1) & 1)] += FACES[state[DIE]][action]
    else:
        state[DIE] = action
    state[PLIES] += 1


@implements(Dice)
def returns(game, state, out):
    out[0] = float(np.sign(state[SUMS] - state[SUMS + 1]))
    out[1] = -out[0]
