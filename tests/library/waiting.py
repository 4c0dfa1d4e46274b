"""A game for one that ends when somebody outside sets a flag, or after very many plies.

State: int64[1]: plies. The return is 1 if the flag was set before there were so many.
"""

from typing import NamedTuple

import numpy as np

from joute.core.interface import OVER, Properties, implements

MOST = 1 << 33  # some seconds, for those who would wait for ever


class Waiting(NamedTuple):
    """The flag is an array, int64[1]."""

    flag: np.ndarray


@implements(Waiting)
def properties(game):
    return Properties("waiting", 1, False, False, False, False, 1, 1, 0, MOST, 0.0, 1.0, 1)


@implements(Waiting)
def start(game):
    return np.zeros(1, np.int64)


@implements(Waiting)
def mover(game, state):
    return OVER if game.flag[0] != 0 or state[0] == MOST else 0


@implements(Waiting)
def legal(game, state, out):
    out[0] = 0
    return 1


@implements(Waiting)
def play(game, state, action):
    state[0] += 1


@implements(Waiting)
def returns(game, state, out):
    out[0] = 1.0 if state[0] < MOST else 0.0


@implements(Waiting)
def observe(game, state, player):
    return {"plies": int(state[0])}
