"""Games that whole turns play against themselves, in one kernel, and the positions that they give.

Only for games of two players in which a turn's plies are the mover's and chance's. Positions are
those between turns, seen by both players.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.games.arrays import copy, index
from joute.games.compiled import kernel
from joute.games.interface import (
    CHANCE,
    OVER,
    draw,
    mover,
    pending,
    pick,
    play,
    properties,
    start,
)
from joute.games.interface import returns as game_returns
from joute.games.random import generator, uniform
from joute.search.whole_turns import best_plies, look, work

PLIES_A_POSITION = 16  # of the longest game; there is no room for more positions


class Room(NamedTuple):
    """What games are played in, and where their positions go; one per thread."""

    state: np.ndarray  # as the game's states
    returns: np.ndarray  # float64[2]
    states: np.ndarray  # the game's dtype [most, words], the positions of all games
    players: np.ndarray  # int8[most], who sees each
    results: np.ndarray  # float32[most], what the game returned to him


class Games(NamedTuple):
    """What was played."""

    states: np.ndarray
    players: np.ndarray
    results: np.ndarray
    score: float  # the mean return of the first evaluation


@kernel
def play_games(game, first, second, fresh, count, straying, rng, work, room):
    """Play games between two evaluations, which take seat 0 in turn; (positions, sum of returns).

    The sum is that of the first, which has seat 1 in the second game and every other. A turn is
    random with probability `straying`.
    """
    state, noted, total = room.state, 0, 0.0
    for number in range(count):
        copy(state, fresh)
        begun, moved, random = noted, False, False
        player = mover(game, state)
        while player != OVER:
            if moved and pending(game, state) == 0:
                moved, random = False, uniform(rng) < straying
                if noted + 2 <= room.players.size:
                    for side in range(2):
                        copy(room.states[index(noted)], state)
                        room.players[index(noted)] = side
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
        game_returns(game, state, room.returns)
        total += room.returns[number & 1]
        for place in range(begun, noted):
            room.results[index(place)] = room.returns[index(room.players[index(place)])]
    return noted, total


def games(
    game: Any,
    evaluations: tuple[Any, Any],
    seed: int,
    count: int,
    positions: int,
    straying: float = 0.0,
) -> Games:
    """Games in which turns are searched up to so many positions. Reproducible by the seed."""
    fresh = start(game)
    most = count * properties(game).max_plies // PLIES_A_POSITION
    room = Room(
        fresh.copy(),
        np.zeros(2),
        np.zeros((most, fresh.size), fresh.dtype),
        np.zeros(most, np.int8),
        np.zeros(most, np.float32),
    )
    rng, arrays = generator(seed), work(game, fresh, positions)
    noted, total = play_games(game, *evaluations, fresh, count, straying, rng, arrays, room)
    kept = room.states[:noted], room.players[:noted], room.results[:noted]
    return Games(*kept, total / count)
