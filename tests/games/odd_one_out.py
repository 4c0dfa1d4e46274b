"""Odd one out: a tiny game of simultaneous choices for three, with nothing but rules.

In each of four rounds all choose left or right, none seeing another's choice; who chose alone has
a point. The share of the points is the return.

State:  int16[8]: the points of each, rounds played, the choices of the round (-1 before), the
        choices of the last round as 4 * first + 2 * second + third (-1 before).
Action: LEFT or RIGHT.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core.errors import ActionError
from joute.core.interface import OVER, Properties, implements, inline
from joute.core.random import below

PLAYERS, ROUNDS = 3, 4
ROUND, CHOICES, LAST = 3, 4, 7  # places in the state
WORDS = ("left", "right")


class OddOneOut(NamedTuple):
    """Odd one out."""


@implements(OddOneOut)
def properties(game: OddOneOut) -> Properties:
    return Properties(
        name="odd-one-out", players=PLAYERS, simultaneous=True, chance=False,
        hidden_information=True, zero_sum=False, max_actions=2, max_legal=2, max_outcomes=0,
        max_plies=PLAYERS * ROUNDS, lowest_return=0.0, highest_return=1.0, version=1,
    )  # fmt: skip


@implements(OddOneOut)
def start(game: OddOneOut) -> np.ndarray:
    return np.array([0, 0, 0, 0, -1, -1, -1, -1], np.int16)


@implements(OddOneOut)
def mover(game, state):
    if state[ROUND] == ROUNDS:
        return OVER
    return _chosen(state)


@implements(OddOneOut)
def legal(game, state, out):
    out[0], out[1] = 0, 1
    return 2


@implements(OddOneOut)
def play(game, state, action):
    state[CHOICES + _chosen(state)] = action
    if _chosen(state) < PLAYERS:
        return
    one, two, three = int(state[CHOICES]), int(state[CHOICES + 1]), int(state[CHOICES + 2])
    state[LAST] = 4 * one + 2 * two + three
    total = one + two + three
    for player in range(PLAYERS):
        if (total == 1 and state[CHOICES + player] == 1) or (
            total == 2 and state[CHOICES + player] == 0
        ):
            state[player] += 1
    state[CHOICES] = state[CHOICES + 1] = state[CHOICES + 2] = -1
    state[ROUND] += 1


@implements(OddOneOut)
def pending(game, state):
    return 0 if state[ROUND] == ROUNDS else _chosen(state)


@implements(OddOneOut)
def returns(game, state, out):
    for player in range(PLAYERS):
        out[player] = state[player] / ROUNDS


@implements(OddOneOut)
def points(game, state, player):
    return int(state[player])


@implements(OddOneOut)
def determinize(game, state, player, rng):
    for other in range(PLAYERS):
        if other != player and state[CHOICES + other] >= 0:
            state[CHOICES + other] = below(rng, 2)


@implements(OddOneOut)
def fault_action(game, state, player):
    return 0


@implements(OddOneOut)
def observe(game: OddOneOut, state: Any, player: int) -> dict[str, Any]:
    last = int(state[LAST])
    return {
        "round": int(state[ROUND]),
        "points": [int(state[each]) for each in range(PLAYERS)],
        "last": [] if last < 0 else [WORDS[last >> 2 - each & 1] for each in range(PLAYERS)],
    }


@implements(OddOneOut)
def describe(game: OddOneOut, state: Any, action: int) -> str:
    return WORDS[action]


@implements(OddOneOut)
def parse(game: OddOneOut, state: Any, text: str) -> int:
    if text not in WORDS:
        raise ActionError(text, " or ".join(WORDS))
    return WORDS.index(text)


@inline
def _chosen(state):
    count = 0
    while count < PLAYERS and state[CHOICES + count] >= 0:
        count += 1
    return count
