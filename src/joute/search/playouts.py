"""Random games from a state: the simplest kernel, and the measure of a game's speed."""

from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import copy
from joute.core.compiled import kernel
from joute.core.interface import CHANCE, OVER, draw, mover, pick, play, properties, start
from joute.core.interface import returns as game_returns


class Work(NamedTuple):
    """What playouts write to; one per thread."""

    state: np.ndarray  # as the game's states
    actions: np.ndarray  # int32[max_legal or max_outcomes, the larger]
    weights: np.ndarray  # float64[max_outcomes]
    returns: np.ndarray  # float64[players], of the last playout
    total: np.ndarray  # float64[players], summed over the playouts


def work(game: Any) -> Work:
    """Arrays for playouts of this game."""
    facts = properties(game)
    return Work(
        state=start(game),
        actions=np.zeros(max(facts.max_legal, facts.max_outcomes, 1), np.int32),
        weights=np.zeros(max(facts.max_outcomes, 1)),
        returns=np.zeros(facts.players),
        total=np.zeros(facts.players),
    )


@kernel
def playouts(game, root, count, rng, work):
    """Play `count` uniformly random games from `root`; return how many plies they took in all.

    `work.total` receives the sum of the returns of each player. `rng` (uint64[2]) advances.
    """
    state, total = work.state, work.total
    plies = 0
    total[:] = 0.0
    for _ in range(count):
        copy(state, root)
        player = mover(game, state)
        while player != OVER:
            if player == CHANCE:
                action = draw(game, state, work.actions, work.weights, rng)
            else:
                action = pick(game, state, work.actions, rng)
            play(game, state, action)
            plies += 1
            player = mover(game, state)
        game_returns(game, state, work.returns)
        for player in range(total.size):
            total[player] += work.returns[player]
    return plies
