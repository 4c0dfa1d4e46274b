"""Matching pennies: a tiny game of simultaneous choices for two.

In each of three rounds both choose heads or tails, neither seeing the other's choice; equal sides
are a point for player 0, different ones for player 1.

State:  int16[5]: the points of each, rounds played, the choice of player 0 that is pending (-1 for
        none), the last round's choices as 2 * player 0's + player 1's (-1 before).
Action: HEADS or TAILS.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core.interface import OVER, Properties, implements
from joute.core.random import below

HEADS, TAILS = 0, 1
ROUNDS = 3
ROUND, PENDING, LAST = 2, 3, 4  # places in the state


class Pennies(NamedTuple):
    """Matching pennies."""


def make() -> Pennies:
    """Matching pennies has no parameters."""
    return Pennies()


@implements(Pennies)
def properties(game: Pennies) -> Properties:
    return Properties(
        name="pennies",
        players=2,
        simultaneous=True,
        chance=False,
        hidden_information=True,
        zero_sum=True,
        max_actions=2,
        max_legal=2,
        max_outcomes=0,
        max_plies=2 * ROUNDS,
        lowest_return=-1.0,
        highest_return=1.0,
        version=1,
    )


@implements(Pennies)
def start(game: Pennies) -> np.ndarray:
    return np.array([0, 0, 0, -1, -1], np.int16)


@implements(Pennies)
def mover(game, state):
    if state[ROUND] == ROUNDS:
        return OVER
    return 0 if state[PENDING] < 0 else 1


@implements(Pennies)
def legal(game, state, out):
    out[0], out[1] = HEADS, TAILS
    return 2


@implements(Pennies)
def play(game, state, action):
    if state[PENDING] < 0:
        state[PENDING] = action
        return
    state[int(state[PENDING] != action)] += 1
    state[LAST] = 2 * state[PENDING] + action
    state[PENDING] = -1
    state[ROUND] += 1


@implements(Pennies)
def pending(game, state):
    return 0 if state[PENDING] < 0 else 1


@implements(Pennies)
def returns(game, state, out):
    out[0] = 1.0 if state[0] > state[1] else -1.0
    out[1] = -out[0]


@implements(Pennies)
def points(game, state, player):
    return int(state[player])


@implements(Pennies)
def determinize(game, state, player, rng):
    if player == 1 and state[PENDING] >= 0:
        state[PENDING] = below(rng, 2)


@implements(Pennies)
def fault_action(game, state, player):
    return HEADS


@implements(Pennies)
def observe(game: Pennies, state: Any, player: int) -> dict[str, Any]:
    return {
        "points": [int(state[0]), int(state[1])],
        "round": int(state[ROUND]),
        "last": int(state[LAST]),
    }
