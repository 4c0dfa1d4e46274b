"""A game of a hundred plies without a choice, longer than a search's stack.

State:  int16[1]: plies played.
Action: 0.
"""

from typing import NamedTuple

import numpy as np

from joute.core.interface import OVER, Properties, implements

PLIES = 100


class Walk(NamedTuple):
    """A long walk."""


@implements(Walk)
def properties(game: Walk) -> Properties:
    return Properties(
        name="walk",
        players=2,
        simultaneous=False,
        chance=False,
        hidden_information=False,
        zero_sum=True,
        max_actions=1,
        max_legal=1,
        max_outcomes=0,
        max_plies=PLIES,
        lowest_return=0.0,
        highest_return=0.0,
        version=1,
    )


@implements(Walk)
def start(game: Walk) -> np.ndarray:
    return np.zeros(1, np.int16)


@implements(Walk)
def mover(game, state):
    return OVER if state[0] == PLIES else int(state[0]) & 1


@implements(Walk)
def legal(game, state, out):
    out[0] = 0
    return 1


@implements(Walk)
def play(game, state, action):
    state[0] += 1


@implements(Walk)
def returns(game, state, out):
    out[0] = out[1] = 0.0
