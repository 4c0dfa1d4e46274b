"""Random games in lanes: the same games in Python and compiled, as many as asked, as playouts."""

import numpy as np
import pytest
from games.examples import ConnectFour
from games.pennies import Pennies
from games.poker import Poker
from games.tron.maps import OPEN

from joute.core.interface import OVER, mover, pick, play, start
from joute.core.random import generator
from joute.core.registry import make
from joute.search.playouts import LANES, lanes, playout_work, playouts

GAMES = {
    "connect-four": ConnectFour(),
    "poker": Poker(),
    "pennies": Pennies(),
    "tron in rows": make("tron", players=1),
    "tron by table": make("tron", map=OPEN, players=1),
    "tron for three": make("tron", map=OPEN, players=3),
}


def played(function, game, count, lane_count=LANES, seed=1):
    """The plies, the sums of returns and the generator afterwards."""
    room, rng = playout_work(game, lane_count), generator(seed)
    plies = function(game, start(game), count, rng, room)
    return int(plies), room.total.tolist(), rng.tolist()


@pytest.mark.parametrize("name", GAMES)
def test_python_and_compiled_code_play_the_same_games(name):
    for count in (0, 1, LANES - 1, LANES, 3 * LANES + 1):
        assert played(lanes.function, GAMES[name], count) == played(lanes, GAMES[name], count)


@pytest.mark.parametrize("name", GAMES)
def test_with_one_lane_the_games_are_those_of_playouts(name):
    game = GAMES[name]
    room, rng = playout_work(game), generator(1)
    plies = playouts(game, start(game), 50, rng, room)
    assert played(lanes, game, 50, lane_count=1) == (plies, room.total.tolist(), rng.tolist())


def averages(function, room, game, batches, size, seed):
    """The mean plies and returns of a game in each of so many batches."""
    rng, root, found = generator(seed), start(game), []
    for _ in range(batches):
        plies = function(game, root, size, rng, room)
        found.append([plies / size, *(room.total / size)])
    return np.array(found)


@pytest.mark.parametrize("name", GAMES)
def test_lanes_are_equal_in_distribution_to_playouts(name):
    game = GAMES[name]
    one = averages(playouts, playout_work(game), game, 100, 50, seed=1)
    several = averages(lanes, playout_work(game), game, 100, 50, seed=2)
    error = np.sqrt((one.var(axis=0) + several.var(axis=0)) / 100)
    assert np.all(abs(one.mean(axis=0) - several.mean(axis=0)) <= 4 * error + 1e-9)
    assert np.all(abs(one.std(axis=0) - several.std(axis=0)) <= 0.4 * one.std(axis=0) + 1e-9)


def test_from_the_end_of_a_game_nothing_is_played():
    game = make("tron", players=1)
    state, scratch = start(game).tolist(), [0] * 6
    while mover(game, state) != OVER:
        play(game, state, pick(game, state, scratch, generator(len(scratch))))
    room, rng = playout_work(game), generator(1)
    root = np.array(state, start(game).dtype)
    assert lanes(game, root, 20, rng, room) == 0
    assert room.total[0] == 20 * state[1] > 0
    assert rng.tolist() == generator(1).tolist()
