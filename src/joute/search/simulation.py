"""What Monte Carlo searches have in common: what they are asked, and what simulations write to."""

from typing import Any, NamedTuple

import numpy as np

from joute.core.interface import legal, mover, properties, start

SIMULATIONS, USED, LENGTH, INSIDE = 0, 1, 2, 3  # places in Work.control


class Question(NamedTuple):
    """A state in which a player is to move."""

    state: list[int]
    player: int
    actions: list[int]  # legal, in the game's order


def question(search: str, game: Any, state: Any, simulations: int | None) -> Question:
    """What a search of this name is asked by a state and a number of simulations, None for any.

    Raises ValueError if no player is to move, or for no simulations.
    """
    if simulations is not None and simulations < 1:
        raise ValueError(f"{search} needs simulations, got {simulations}")
    known = [int(word) for word in state]
    player = int(mover(game, known))
    if player < 0:
        raise ValueError(f"{search} weighs actions of a player, and none is to move")
    actions = [0] * properties(game).max_legal
    return Question(known, player, actions[: legal(game, known, actions)])


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
