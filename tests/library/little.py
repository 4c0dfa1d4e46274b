"""A little game with all that laws look at: two cards are dealt face down, then a pile is taken.

State: int64[6]: the pile, who is to move, the two cards (0: not dealt), what each player took.
Action: how many are taken, 1 or 2. Outcome: a card, 1..3.
"""

from typing import NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.errors import ActionError
from joute.core.interface import CHANCE, OVER, Properties, implements
from joute.core.random import below

PILE, MOVER, CARDS, TAKEN = 0, 1, 2, 4
COUNTS = np.array([0, 1, 2, 3])
SEEN = [0]


class Little(NamedTuple):
    pile: int = 5


@implements(Little)
def properties(game):
    return Properties(
        name="little",
        players=2,
        simultaneous=False,
        chance=True,
        hidden_information=True,
        zero_sum=True,
        max_actions=3,
        max_legal=2,
        max_outcomes=3,
        max_plies=7,
        lowest_return=-1.0,
        highest_return=1.0,
        version=1,
    )


@implements(Little)
def start(game):
    return np.array([game.pile, 0, 0, 0, 0, 0], np.int64)


@implements(Little)
def mover(game, state):
    if state[CARDS + 1] == 0:
        return CHANCE
    return OVER if state[PILE] == 0 else int(state[MOVER])


@implements(Little)
def legal(game, state, out):
    count = 0
    for taken in range(1, min(int(state[PILE]), 2) + 1):
        out[count] = taken
        count += 1
    return count


@implements(Little)
def chances(game, state, out, weights):
    for card in range(3):
        out[card] = card + 1
        weights[card] = 1 / 3
    return 3


@implements(Little)
def play(game, state, action):
    if state[CARDS + 1] == 0:
        state[CARDS if state[CARDS] == 0 else CARDS + 1] = action
        return
    state[PILE] -= COUNTS[action]
    state[TAKEN + state[MOVER]] += action
    state[MOVER] = 1 - state[MOVER]


@implements(Little)
def returns(game, state, out):
    lead = state[TAKEN] + state[CARDS] - state[TAKEN + 1] - state[CARDS + 1]
    out[0] = 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0
    out[1] = -out[0]


@implements(Little)
def seen(game, state, player, action):
    dealt = state[CARDS] > 0
    return action if state[CARDS + 1] > 0 or dealt == player else -1


@implements(Little)
def determinize(game, state, player, rng):
    other = CARDS + 1 - player
    if state[other] > 0:
        state[other] = 1 + below(rng, 3)


@implements(Little)
def observe(game, state, player):
    found = {
        "pile": int(state[PILE]),
        "card": int(state[CARDS + player]),
        "dealt": [int(state[CARDS] > 0), int(state[CARDS + 1] > 0)],
        "taken": [int(each) for each in state[TAKEN : TAKEN + 2]],
    }
    if mover(game, state) == player:
        found["legal"] = list(range(1, min(int(state[PILE]), 2) + 1))
    return found


@implements(Little)
def features(game, state, player, out):
    out[0] = min(1.0, state[PILE] / game.pile)
    out[1] = state[CARDS + player] / 3
    out[2] = min(1.0, state[TAKEN + player] / game.pile)
    out[3] = min(1.0, state[index(TAKEN + 1 - player)] / game.pile)


@implements(Little)
def features_shape(game):
    return (4,)


@implements(Little)
def render(game, state, player=None):
    cards = [str(state[CARDS + each]) if player in (None, each) else "?" for each in (0, 1)]
    return f"pile {state[PILE]}, cards {' '.join(cards)}"


@implements(Little)
def describe(game, state, action):
    return f"card {action}" if mover(game, state) == CHANCE else f"take {action}"


@implements(Little)
def parse(game, state, text):
    if not text[5:].isdecimal():
        raise ActionError(text, "as take 1")
    return int(text[5:])
