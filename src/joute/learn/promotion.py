"""Whether new weights play better than old ones: pairs of games until a sequential test decides."""

from typing import Any, NamedTuple

import numpy as np

from joute.contest.rating.sprt import H1, Hypotheses, SequentialTest
from joute.core.interface import OVER, mover, openings, play, properties, returns, start
from joute.core.random import below, generator
from joute.learn.self_play import begun
from joute.search.alphabeta import AlphaBeta

NODES = 5000  # a turn: both search as many, so that the test can be played again
HYPOTHESES = Hypotheses(0, 50)
MOST_PAIRS = 300


class Verdict(NamedTuple):
    """What a test came to."""

    better: bool  # shown to be; no, if it was not decided
    pairs: int
    score: float  # the mean of a game, 0..1, of the new weights


def promoted(game: Any, new: Any, old: Any, seed: int) -> Verdict:
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
    return Verdict(test.decision == H1, test.pairs, points / (2 * test.pairs))


def _opening(game: Any, rng: np.ndarray) -> list[int]:
    state = begun(game, rng)
    fewest, most = properties(game).opening_plies
    for _ in range(fewest + below(rng, most - fewest + 1)):
        actions = openings(game, state)
        play(game, state, actions[below(rng, len(actions))])
    return state


def _score(game: Any, state: list[int], searches: list[AlphaBeta], side: int) -> float:
    """What the first search, playing `side`, makes of a game: 0, 1/2 or 1."""
    while mover(game, state) != OVER:
        search = searches[mover(game, state) != side]
        found = search.search(np.array(state, start(game).dtype), nodes=NODES)
        play(game, state, found.action)
    final = [0.0, 0.0]
    returns(game, state, final)
    return (1 + final[side]) / 2
