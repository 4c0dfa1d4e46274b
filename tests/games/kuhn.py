"""Kuhn poker (Kuhn, "A simplified two-person poker", 1950): the smallest game with bluffs.

Both pay an ante of 1 and are dealt one of the cards 0, 1, 2. Player 0 passes or bets 1, then
player 1; who faces a bet folds by passing or pays 1 by betting; a pass and a bet leave player 0 to
answer. The higher card takes the pot. With the best strategies player 0 loses 1/18 a game.

State:  int16[6]: the cards of both (-1 before they are dealt), the actions (-1 before), plies.
Action: PASS or BET. Chance deals card 0..2 to the next player.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core.interface import CHANCE, OVER, Properties, implements
from joute.core.random import below

CARDS = 3
PASS, BET = 0, 1
ACTIONS, PLIES = 2, 5  # places in the state


class Kuhn(NamedTuple):
    """Kuhn poker has no parameters."""


@implements(Kuhn)
def properties(game: Kuhn) -> Properties:
    return Properties(
        name="kuhn", players=2, simultaneous=False, chance=True, hidden_information=True,
        zero_sum=True, max_actions=2, max_legal=2, max_outcomes=CARDS, max_plies=5,
        lowest_return=-2.0, highest_return=2.0, version=1,
    )  # fmt: skip


@implements(Kuhn)
def start(game: Kuhn) -> np.ndarray:
    return np.array([-1, -1, -1, -1, -1, 0], np.int16)


@implements(Kuhn)
def mover(game, state):
    plies = int(state[PLIES])
    if plies < 2:
        return CHANCE
    if plies == 5 or (plies == 4 and not (state[ACTIONS] == PASS and state[ACTIONS + 1] == BET)):
        return OVER
    return plies & 1


@implements(Kuhn)
def legal(game, state, out):
    out[0], out[1] = PASS, BET
    return 2


@implements(Kuhn)
def chances(game, state, out, weights):
    count = 0
    for card in range(CARDS):
        if card != state[0]:
            out[count] = card
            count += 1
    for place in range(count):
        weights[place] = 1.0 / count
    return count


@implements(Kuhn)
def play(game, state, action):
    state[state[PLIES]] = action  # cards and actions stand in the order of the plies
    state[PLIES] += 1


@implements(Kuhn)
def returns(game, state, out):
    first, second, third = int(state[ACTIONS]), int(state[ACTIONS + 1]), int(state[ACTIONS + 2])
    higher = 1.0 if state[0] > state[1] else -1.0
    answer = second if first == BET else third
    if first == PASS and second == PASS:
        out[0] = higher
    elif answer == BET:
        out[0] = 2.0 * higher
    else:  # who faced the bet folded
        out[0] = 1.0 if first == BET else -1.0
    out[1] = -out[0]


@implements(Kuhn)
def seen(game, state, player, action):
    return CARDS if state[PLIES] < 2 and state[PLIES] != player else action


@implements(Kuhn)
def determinize(game, state, player, rng):
    other = 1 - player
    if state[other] >= 0:
        known = int(state[player])
        if known < 0:
            state[other] = below(rng, CARDS)
        else:
            state[other] = (known + 1 + below(rng, CARDS - 1)) % CARDS


@implements(Kuhn)
def fault_action(game, state, player):
    return PASS


@implements(Kuhn)
def stream(game: Kuhn, state: Any) -> str:
    return "deck"


@implements(Kuhn)
def observe(game: Kuhn, state: Any, player: int) -> dict[str, Any]:
    plies = int(state[PLIES])
    return {
        "card": int(state[player]),
        "dealt": min(plies, 2),
        "actions": [int(action) for action in state[ACTIONS : max(plies, ACTIONS)]],
    }


@implements(Kuhn)
def tell(game: Kuhn, state: Any, player: int, action: int) -> dict[str, Any]:
    return {"player": int(mover(game, state)), "action": int(seen(game, state, player, action))}
