"""What the simulations of a tree search write to, whatever the tree is made of."""

from typing import Any, NamedTuple

import numpy as np

from joute.games.interface import properties, start

SIMULATIONS, USED, LENGTH, INSIDE = 0, 1, 2, 3  # places in Work.control


class Work(NamedTuple):
    """One per thread."""

    state: np.ndarray  # as the game's states
    actions: np.ndarray  # int32[max_legal or max_outcomes, the larger]
    weights: np.ndarray  # float64[max_outcomes]
    returns: np.ndarray  # float64[players], of the last simulation
    control: np.ndarray  # int64[4]: simulations, how much of the tree is used, steps of the path,
    # are we in the tree
    path: np.ndarray  # int64[max_plies + 1], where in the tree it went
    players: np.ndarray  # int64[max_plies + 1], who chose so


def work(game: Any) -> Work:
    """Arrays for simulations of this game."""
    facts = properties(game)
    return Work(
        state=start(game),
        actions=np.zeros(max(facts.max_legal, facts.max_outcomes, 1), np.int32),
        weights=np.zeros(max(facts.max_outcomes, 1)),
        returns=np.zeros(facts.players),
        control=np.zeros(4, np.int64),
        path=np.zeros(facts.max_plies + 1, np.int64),
        players=np.zeros(facts.max_plies + 1, np.int64),
    )
