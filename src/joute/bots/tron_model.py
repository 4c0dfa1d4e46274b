"""How others are taken to drive in Tron: one ply ahead, for territory.

In a duel as `builtin:territory` does; of more bikes each looks at its own step alone, as the
replies of all would cost too much. Of ties the lowest direction is taken.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.bots.territory import weigh_step
from joute.bots.tron_territory import Territory, territory
from joute.games.arrays import index
from joute.games.interface import implements, start
from joute.games.tron_state import CELLS, HEAD, NONE, SLOTS


class OnePly(NamedTuple):
    """The policy, for `one_ply`'s game."""

    board: Territory
    after: np.ndarray  # room for a state


def one_ply(game: Any) -> OnePly:
    """The policy for a game of Tron, with arrays of its own: one per thread."""
    return OnePly(territory(game), start(game))


@implements(OnePly, "choose")
def _choose(policy, game, state, player):
    row = SLOTS * int(state[index(HEAD + player)])
    best, highest = NONE, -float("inf")
    for action in range(game.directions):
        if state[index(CELLS + int(game.neighbour[index(row + action)]))] == 0:
            value = weigh_step(
                game, policy.board, state, policy.after, player, action, game.players == 2
            )
            if value > highest:
                best, highest = action, value
    return best
