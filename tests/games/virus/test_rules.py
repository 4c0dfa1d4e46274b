"""Facts of Virus: how many ways there are to play, how long games last, how they end."""

import numpy as np
import pytest
from games.kernels import perft
from games.virus.oracle import Oracle
from games.virus.oracle import perft as plain_perft

from joute.core.errors import ActionError
from joute.core.interface import (
    OVER,
    describe,
    legal,
    mover,
    observe,
    openings,
    parse,
    play,
    points,
    properties,
    render,
    start,
)
from joute.core.random import below, generator
from joute.core.registry import make
from joute.games.virus.rules import VirusGrid
from joute.search.playouts import playout_work, playouts

# The ways to play 1, 2, 3 ... plies after player 0 was drawn, counted by `oracle.perft`.
WAYS = {
    (3, True): [6, 23, 78, 197, 424, 672],
    (3, False): [5, 13, 32, 56, 72, 68],
    (4, True): [7, 49, 358, 2470, 16776],
    (4, False): [6, 36, 228, 1336, 7536],
    (5, True): [7, 49, 420, 3498],
    (5, False): [6, 36, 288, 2172],
    (7, True): [7, 49, 420, 3630],
    (7, False): [6, 36, 288, 2304],
    (10, True): [7, 49, 420],
    (10, False): [6, 36, 288],
    (12, True): [7, 49, 420],
    (12, False): [6, 36, 288],
}


def begun(game, starter=0):
    state = start(game)
    play(game, state, starter)
    return state


def ways(count, game, depth):
    """The number of ways to play `depth` plies, by the kernel or its plain function."""
    state = begun(game)
    states = np.zeros((depth + 1, state.size), state.dtype)
    states[0] = state
    actions = np.zeros((depth + 1, properties(game).max_legal), np.int32)
    return count(game, states, actions, np.full(depth + 1, -1), depth)


@pytest.mark.parametrize(("size", "voluntary_pass"), WAYS)
def test_there_are_as_many_ways_to_play_as_the_oracle_counts(size, voluntary_pass):
    expected = WAYS[size, voluntary_pass]
    layouts = [make("virus", size=size, voluntary_pass=voluntary_pass)]
    layouts += [VirusGrid(size, voluntary_pass)] if size <= 10 else []
    for game in layouts:
        found = [ways(perft, game, depth + 1) for depth in range(len(expected))]
        assert found == expected
        assert ways(perft.function, game, 2) == expected[1]
    oracle = Oracle(size, voluntary_pass, 0)
    assert [plain_perft(oracle, depth + 1) for depth in range(3)] == expected[:3]


def test_the_layouts_have_as_many_ways_to_play_deeper():
    for size, depth in ((6, 5), (8, 5), (10, 5)):
        bits = ways(perft, make("virus", size=size), depth)
        assert bits == ways(perft, VirusGrid(size), depth)


def random_game(game, seed):
    """The actions of a random game, and the longest list of legal ones."""
    rng, state, actions, longest = generator(seed), begun(game).tolist(), [], 0
    out = [0] * properties(game).max_legal
    while mover(game, state) != OVER:
        count = legal(game, state, out)
        longest = max(longest, count)
        actions.append(out[below(rng, count)])
        play(game, state, actions[-1])
    return state, actions, longest


def test_a_game_that_nobody_stops_takes_96_stones():
    game = make("virus", voluntary_pass=False)
    for seed in range(20):
        state, actions, longest = random_game(game, seed)
        assert sum(action < 100 for action in actions) == 96
        assert points(game, state, 0) + points(game, state, 1) == 100
        assert longest <= 60 < properties(game).max_legal
        assert actions[-1] < 100


PLAYOUTS = 20_000


def test_random_players_win_and_draw_as_often_as_they_should():
    """Expected: 200,000 games of a C program on a grid of cells, which shares nothing with this."""
    game = make("virus", voluntary_pass=False)
    root, rng, room = begun(game), generator(1), playout_work(game)
    wins = draws = 0
    for _ in range(PLAYOUTS):
        assert playouts(game, root, 1, rng, room) >= 96
        wins += room.returns[0] > 0
        draws += room.returns[0] == 0
    for count, expected in ((wins, 0.4500), (draws, 0.0494)):
        error = (expected * (1 - expected) / PLAYOUTS) ** 0.5
        assert abs(count / PLAYOUTS - expected) < 4 * error


def test_no_board_has_more_legal_actions_than_declared():
    for size in (3, 4, 5):
        for voluntary_pass in (True, False):
            game = make("virus", size=size, voluntary_pass=voluntary_pass)
            longest = max(random_game(game, seed)[2] for seed in range(300))
            assert longest <= properties(game).max_legal


@pytest.mark.parametrize("size", [3, 10, 12])
def test_two_passes_in_a_row_end_the_game_as_it_stands(size):
    game = make("virus", size=size)
    state, passed = begun(game).tolist(), size * size
    play(game, state, passed)
    assert mover(game, state) == 1
    play(game, state, passed)
    assert mover(game, state) == OVER
    assert observe(game, state, 0)["scores"] == [2, 2]


def test_a_stone_between_two_passes_lets_the_game_go_on():
    game = make("virus", size=5)
    state = begun(game).tolist()
    for action in (25, 3, 25):
        play(game, state, action)
        assert mover(game, state) != OVER
    assert observe(game, state, 0)["passes"] == 1


def test_stones_turn_without_chain_reaction():
    game = make("virus", size=5)
    state = begun(game).tolist()
    for text in ("b2", "d2", "c2"):
        play(game, state, parse(game, state, text))
    assert observe(game, state, 0)["grid"] == ["0...1", ".000.", ".....", ".....", "1...0"]


def test_actions_are_written_and_read():
    game = make("virus")
    state = begun(game)
    assert [describe(game, state, action) for action in (0, 9, 36, 90, 99, 100)] == [
        "a1",
        "j1",
        "g4",
        "a10",
        "j10",
        "pass",
    ]
    assert parse(game, state, " G4 ") == 36
    assert parse(game, state, "PASS") == 100
    for text in ("k1", "a11", "a0", "", "1a", "4,6", "aa1", "a 1"):
        with pytest.raises(ActionError, match="expected a cell from 'a1' to 'j10', or 'pass'"):
            parse(game, state, text)
    with pytest.raises(ActionError, match="player 0 starts"):
        parse(game, start(game), "a1")


def test_openings_are_stones_while_there_is_a_place():
    game = make("virus", size=5)
    assert openings(game, begun(game).tolist()) == [1, 5, 6, 18, 19, 23]
    assert properties(game).opening_plies == (2, 4)


def test_the_board_is_drawn():
    game = make("virus", size=3)
    assert render(game, begun(game)).splitlines() == [
        "    a b c",
        "  1 0 . 1",
        "  2 . . .",
        "  3 1 . 0",
        "    stones: 2 to 2",
    ]
