"""Games by a search of whole turns, in one kernel, and the positions that they give.

Only for games of two players in which a turn's plies are the mover's and chance's. Positions are
those between turns.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import copy, index
from joute.core.compiled import kernel
from joute.core.interface import (
    CHANCE,
    OVER,
    draw,
    implements,
    mover,
    pending,
    pick,
    play,
    properties,
    start,
)
from joute.core.interface import returns as game_returns
from joute.core.random import generator, uniform
from joute.search.evaluation import evaluate
from joute.search.whole_turns import best_plies, look, turn_graph

PLIES_A_POSITION = 16  # of the longest game; there is no room for more positions
SURE = 0.99999  # values beyond are taken for this
TINY = 1e-12


class NoisyEvaluation(NamedTuple):
    """An evaluation, from -1 to 1, to whose log-odds a random number is added.

    The number has Gumbel's distribution, so that of the ends of a turn each is the highest with
    the odds exp(its log-odds / temperature): the better are played more often, not always the best.
    """

    evaluation: Any
    rng: np.ndarray
    temperature: float


@implements(NoisyEvaluation, "evaluate")
def _wavering(wavering, game, state, player):
    value = float(evaluate(wavering.evaluation, game, state, player))
    if -1.0 < value < 1.0:
        noise = -math.log(-math.log(uniform(wavering.rng) + TINY) + TINY)
        logit = 2.0 * math.atanh(min(max(value, -SURE), SURE)) + wavering.temperature * noise
        value = min(max(math.tanh(logit / 2.0), -SURE), SURE)
    return value


class GameBuffers(NamedTuple):
    """The arrays that games are played in, and that take their positions; one per thread."""

    state: np.ndarray  # as the game's states
    returns: np.ndarray  # float64[2]
    states: np.ndarray  # the game's dtype [most, words], the positions of all games
    results: np.ndarray  # float32[most]
    last: np.ndarray  # bool[most]


class TurnPositions(NamedTuple):
    """The positions of games, one after the other."""

    states: np.ndarray  # the game's dtype [positions, words]
    results: np.ndarray  # float32[positions], what the game returned to player 0
    last: np.ndarray  # bool[positions], the last of its game


@kernel
def play_games(game, first, second, fresh, count, straying, rng, work, buffers):
    """Plays games between two evaluations, which take seat 0 in turn; (positions, sum of returns).

    The sum is that of the first, which has seat 1 in the second game and every other. A turn is
    random with probability `straying`.
    """
    state, noted, total = buffers.state, 0, 0.0
    for number in range(count):
        copy(state, fresh)
        begun, moved, random = noted, False, False
        player = mover(game, state)
        while player != OVER:
            if moved and pending(game, state) == 0:
                moved, random = False, uniform(rng) < straying
                if noted < buffers.results.size:
                    copy(buffers.states[index(noted)], state)
                    noted += 1
            if player == CHANCE:
                play(game, state, draw(game, state, work.choices, work.weights, rng))
            elif random:
                moved = True
                play(game, state, pick(game, state, work.choices, rng))
            else:
                moved = True
                copy(work.states[0], state)
                if player == number & 1:
                    look(game, first, work)
                else:
                    look(game, second, work)
                best_plies(game, work, state)
            player = mover(game, state)
        game_returns(game, state, buffers.returns)
        total += buffers.returns[number & 1]
        for place in range(begun, noted):
            buffers.results[index(place)] = buffers.returns[0]
            buffers.last[index(place)] = place == noted - 1
    return noted, total


def games(
    game: Any,
    evaluations: tuple[Any, Any],
    seed: int,
    count: int,
    positions: int,
    straying: float = 0.0,
) -> tuple[TurnPositions, float]:
    """Games in which turns are searched up to so many positions; the mean return of the first.

    Reproducible by the seed.
    """
    fresh = start(game)
    most = count * properties(game).max_plies // PLIES_A_POSITION
    buffers = GameBuffers(
        fresh.copy(),
        np.zeros(2),
        np.zeros((most, fresh.size), fresh.dtype),
        np.zeros(most, np.float32),
        np.zeros(most, np.bool_),
    )
    rng, arrays = generator(seed), turn_graph(game, fresh, positions)
    noted, total = play_games(game, *evaluations, fresh, count, straying, rng, arrays, buffers)
    return TurnPositions(
        buffers.states[:noted], buffers.results[:noted], buffers.last[:noted]
    ), total / count
