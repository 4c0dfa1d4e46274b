"""Games between evaluations by alpha-beta: against themselves to learn from, and against others.

Games of the second kind, in pairs, test whether new weights play better than old ones.
"""

from typing import Any, NamedTuple, TypeVar

import numpy as np

from joute.contest.rating.sprt import H1, Hypotheses, SequentialTest
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
from joute.search.alphabeta_search import AlphaBeta

OPENINGS = (2, 4, 6, 8, 10, 14, 20)  # random plies that a game begins with, each as likely
STRAYING = 0.02  # the share of later plies that are random
TABLE_LOG2 = 16
NODES = 5000  # a turn: both search as many, so that the test can be played again
HYPOTHESES = Hypotheses(0, 50)
MOST_PAIRS = 300

Kind = TypeVar("Kind", bound=tuple[np.ndarray, ...])


class Positions(NamedTuple):
    """The positions of games, one after the other."""

    states: np.ndarray  # the game's dtype [positions, words]
    movers: np.ndarray  # int8[positions]
    values: np.ndarray  # float32[positions], by search, for the mover; NaN of random plies
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


class Promotion(NamedTuple):
    """The result of a test of new weights against old ones."""

    better: bool  # shown to be; no, if it was not decided
    pairs: int
    score: float  # the mean of a game, 0..1, of the new weights


def promoted(game: Any, new: Any, old: Any, seed: int) -> Promotion:
    """Whether the evaluation `new` is shown to be better than `old`. Reproducible by the seed."""
    rng = generator(seed)
    test = SequentialTest(HYPOTHESES)
    points = 0.0
    while not test.decision and test.pairs < MOST_PAIRS:
        searches = [AlphaBeta(game, start(game), each) for each in (new, old)]
        opened = _opening(game, rng)
        pair = sum(_score(game, opened.copy(), searches, side) for side in (0, 1))
        points += pair
        test.add([pair])
    return Promotion(test.decision == H1, test.pairs, points / (2 * test.pairs))


def _opening(game: Any, rng: np.ndarray) -> list[int]:
    state = begun(game, rng)
    fewest, most = properties(game).opening_plies
    for _ in range(fewest + below(rng, most - fewest + 1)):
        actions = openings(game, state)
        play(game, state, actions[below(rng, len(actions))])
    return state


def _score(game: Any, state: list[int], searches: list[AlphaBeta], side: int) -> float:
    """The score of the first search in a game as `side`: 0, 1/2 or 1."""
    while mover(game, state) != OVER:
        search = searches[mover(game, state) != side]
        found = search.search(np.array(state, start(game).dtype), nodes=NODES)
        play(game, state, found.action)
    final = [0.0, 0.0]
    returns(game, state, final)
    return (1 + final[side]) / 2
