"""Games that a search plays against itself, and the positions that they give."""

from typing import Any, NamedTuple, TypeVar

import numpy as np

from joute.core.interface import (
    CHANCE,
    OVER,
    draw,
    legal_actions,
    mover,
    openings,
    play,
    properties,
    returns,
    start,
)
from joute.core.random import below, generator, uniform
from joute.search.alphabeta import AlphaBeta

OPENINGS = (2, 4, 6, 8, 10, 14, 20)  # random plies that a game begins with, each as likely
STRAYING = 0.02  # the share of later plies that are random
TABLE_LOG2 = 16

Kind = TypeVar("Kind", bound=tuple[np.ndarray, ...])


class Positions(NamedTuple):
    """The positions of games, one after the other."""

    states: np.ndarray  # the game's dtype [positions, words]
    movers: np.ndarray  # int8[positions]
    values: (
        np.ndarray
    )  # float32[positions], by search, for the mover; NaN where he played at random
    results: np.ndarray  # float32[positions], the return of player 0
    last: np.ndarray  # bool[positions], the last of its game


def joined(parts: list[Kind]) -> Kind:
    """The positions of all parts."""
    columns: Any = zip(*parts, strict=True)
    return type(parts[0])(*(np.concatenate(column) for column in columns))


def self_play(game: Any, evaluation: Any, seed: int, games: int, depth: int) -> Positions:
    """The positions of games that alpha-beta of this depth plays against itself.

    The same arguments give the same games. A game begins with some random plies, and strays.
    """
    rng = generator(seed)
    search = AlphaBeta(game, start(game), evaluation, TABLE_LOG2)
    return joined([_play(game, search, rng, depth) for _ in range(games)])


def _play(game: Any, search: AlphaBeta, rng: np.ndarray, depth: int) -> Positions:
    states: list[list[int]] = []
    values: list[float] = []
    opening = OPENINGS[below(rng, len(OPENINGS))]
    state = begun(game, rng)
    while mover(game, state) != OVER:
        states.append(state.copy())
        if len(states) <= opening:
            action, value = _one_of(openings(game, state), rng), np.nan
        elif uniform(rng) < STRAYING:
            action, value = _one_of(legal_actions(game, state), rng), np.nan
        else:
            found = search.search(np.array(state, start(game).dtype), depth)
            action, value = found.action, found.value
        values.append(value)
        play(game, state, action)
    final = [0.0, 0.0]
    returns(game, state, final)
    return Positions(
        np.array(states, start(game).dtype),
        np.array([mover(game, each) for each in states], np.int8),
        np.array(values, np.float32),
        np.full(len(states), final[0], np.float32),
        np.arange(1, len(states) + 1) == len(states),
    )


def begun(game: Any, rng: np.ndarray) -> list[int]:
    """A state in which a player is to choose, after what chance does before."""
    state: list[int] = start(game).tolist()
    facts = properties(game)
    out, weights = [0] * facts.max_outcomes, [0.0] * facts.max_outcomes
    while mover(game, state) == CHANCE:
        play(game, state, draw(game, state, out, weights, rng))
    return state


def _one_of(actions: list[int], rng: np.ndarray) -> int:
    return actions[below(rng, len(actions))]
