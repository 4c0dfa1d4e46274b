"""Flat Monte Carlo as the Tron workshop has it: three forms that are equal in distribution."""

import random

import numpy as np
import pytest
from games.pennies import Pennies
from games.tron.maps import OPEN, superset
from search.plain import actions_of

from joute.bots import BuiltinError, Seating, make
from joute.core.interface import mover, pick, play, points, start
from joute.core.random import generator
from joute.core.registry import make as make_game
from joute.games.tron.players.montecarlo_numpy import simulate_all
from joute.games.tron.players.montecarlo_python import (
    MOVES,
    monte_carlo,
    possible_moves,
    simulate,
    workshop_game,
)
from joute.search.playouts import lanes, playout_work

FORMS = ["montecarlo", "montecarlo-python", "montecarlo-numpy"]
FORK = superset("fork", "#######\n#  1  #\n##### #\n#######")
ROOM = make_game("tron", players=1)
EDGES = make_game("tron", map=superset("edges", "....\n.#1.\n...."), players=1)


def seated(name, game, seed=1, **options):
    return make(name, options, Seating(game, 0, seed, 10.0))


def position(game, moves, seed):
    """A state of a random game that is not over after so many moves."""
    rng = generator(seed)
    while True:
        state = start(game).tolist()
        for _ in range(moves):
            if mover(game, state) == 0:
                play(game, state, pick(game, state, [0] * 6, rng))
        if mover(game, state) == 0:
            return state


def lengths(game, state, form, count, seed):
    """The moves still to come in so many random games, by one of the forms."""
    if form == "compiled":
        room, rng, root = playout_work(game), generator(seed), np.array(state, start(game).dtype)
        found = []
        for _ in range(count):
            lanes(game, root, 1, rng, room)
            found.append(room.total[0] - points(game, state, 0))
        return np.array(found)
    root = workshop_game(game, state)
    if form == "numpy":
        return simulate_all(root, count, np.random.RandomState(seed))
    rng = random.Random(seed)
    return np.array([simulate(root.copy(), rng) for _ in range(count)])


def agree(one, other):
    """Whether two samples have one mean and one spread, as far as chance lets them."""
    error = np.sqrt(one.var() / one.size + other.var() / other.size)
    spread = np.sqrt(1 / one.size + 1 / other.size) * max(one.std(), other.std())
    return (
        abs(one.mean() - other.mean()) <= 4 * error and abs(one.std() - other.std()) <= 4 * spread
    )


@pytest.mark.parametrize("moves", [0, 12, 30])
@pytest.mark.parametrize("game", [ROOM, EDGES], ids=["room", "edges"])
def test_random_games_are_of_the_same_lengths_in_all_forms(game, moves):
    state = position(game, moves if game is ROOM else moves // 10, seed=moves + 1)
    compiled, python, numpy = (
        lengths(game, state, form, 400, seed=2) for form in ("compiled", "python", "numpy")
    )
    assert agree(compiled, python) and agree(compiled, numpy)


@pytest.mark.parametrize("moves", [0, 25, 50])
def test_many_random_games_are_of_the_same_lengths_in_all_forms(moves):
    state = position(ROOM, moves, seed=moves + 7)
    compiled, python, numpy = (
        lengths(ROOM, state, form, 10_000, seed=3) for form in ("compiled", "python", "numpy")
    )
    assert agree(compiled, python) and agree(compiled, numpy) and agree(python, numpy)


@pytest.mark.parametrize("name", FORMS)
def test_each_form_plays_the_better_of_two_corridors_and_says_why(name):
    game = make_game("tron", map=FORK, players=1)
    choice = seated(name, game, simulations="4").play(start(game))
    assert choice[:2] == (2, "means of 4 games: right 3.00, left 2.00")


@pytest.mark.parametrize("name", FORMS)
def test_each_form_plays_legally_and_reproducibly(name):
    for moves in (0, 20):
        state = np.array(position(ROOM, moves, seed=1), start(ROOM).dtype)
        before = state.copy()
        choices = [seated(name, ROOM, seed=4, simulations="30").play(state) for _ in range(2)]
        assert choices[0] == choices[1]
        assert choices[0].action in actions_of(ROOM, state.tolist())
        assert np.array_equal(state, before)


def test_the_workshops_game_is_the_state_with_walls_around():
    game = EDGES
    state = start(game).tolist()
    play(game, state, 1)
    found = workshop_game(game, state)
    assert (found.PlayerX, found.PlayerY, found.Score) == (3, 3, 1)
    # Columns of the map from the left, each from below.
    assert found.Grille[1:-1, 1:-1].tolist() == [[0, 0, 0], [0, 1, 0], [0, 2, 2], [0, 0, 0]]
    walls = found.Grille.copy()
    walls[1:-1, 1:-1] = 1
    assert walls.all() and found.Grille.dtype == np.int8
    legal = [MOVES.index(move) for move in possible_moves(found)]
    assert legal == actions_of(game, state)


def test_simulations_leave_the_game_that_they_start_from_alone():
    root = workshop_game(ROOM, start(ROOM))
    grid = root.Grille.copy()
    monte_carlo(root, 3, random.Random(1))
    simulate_all(root, 3, np.random.RandomState(1))
    assert np.array_equal(root.Grille, grid)
    assert (root.PlayerX, root.PlayerY, root.Score) == (4, 6, 0)


UNFIT = {
    "knows one floor; this map has 2": make_game(
        "tron", map=superset("floors", "1u", " d"), players=1
    ),
    "opposite side .wrap x.": make_game("tron", players=1, wrap="x"),
    "no teleporters": make_game("tron", map=OPEN, players=1, wrap="none"),
    "plays Tron alone; this is tron for 2": make_game("tron", players=2),
    "plays Tron alone; this is pennies for 2": Pennies(),
}


@pytest.mark.parametrize("words", UNFIT)
@pytest.mark.parametrize("name", FORMS[1:])
def test_the_workshops_forms_refuse_what_their_grid_cannot_hold(name, words):
    with pytest.raises(BuiltinError, match=f"builtin:{name} .*{words}"):
        seated(name, UNFIT[words])


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("montecarlo", {"simulations": "-1"}, "must be above 0"),
        ("montecarlo", {"seconds": "-1"}, "must be above 0"),
        ("montecarlo", {"simulations": "5", "seconds": "1"}, "not both"),
        ("montecarlo-python", {"simulations": "0"}, "must be 1 or more, got 0"),
        ("montecarlo-numpy", {"simulations": "0"}, "must be 1 or more, got 0"),
    ],
)
def test_options_out_of_range_are_refused(name, options, words):
    with pytest.raises(BuiltinError, match=words):
        seated(name, ROOM, **options)


def test_by_default_monte_carlo_takes_a_share_of_the_time():
    bot = make("montecarlo", {}, Seating(ROOM, 0, 1, 0.2))
    assert bot.play(start(ROOM)).message.startswith("means of ")
