"""Territory in Tron against a second, plain reckoning, and by hand."""

import numpy as np
import pytest
from games.tron.maps import ALL, superset
from games.tron.plain import territory as plain
from helpers import some

from bench.tron_arena import positions, territories
from joute.core.interface import OVER, mover, play, start
from joute.core.maps import find_map, shipped
from joute.core.registry import make
from joute.games.tron.map import read_map
from joute.games.tron.players.evaluation import LEAD, PER_CELL, PER_END, SEPARATED, WON, territory
from joute.games.tron.text import living
from joute.search.evaluation import evaluate

LEFT, UP, RIGHT, DOWN = range(4)


def room(*rows, **options):
    return make("tron", map=superset("room", "\n".join(rows)), **options)


def value(game, state, player=0):
    return evaluate(territory(game), game, list(state), player)


def lead(mine, theirs):
    """The value of a lead by moves and ends of edges, (moves, ends)."""
    sums = [PER_CELL * moves + PER_END * ends for moves, ends in (mine, theirs)]
    return pytest.approx(LEAD * (sums[0] - sums[1]) / (sum(sums) + 1) ** 0.5)


def played(game, *actions):
    state = start(game).tolist()
    for action in actions:
        play(game, state, action)
    return state


def compare(game, states):
    """Compare the values of states that are not over, for every living bike."""
    evaluation = territory(game)
    seen = {"met": set(), "fill": set()}
    for state in states:
        for player in living(game, state):
            expected, found, met = plain(game, state, player)
            assert evaluate(evaluation, game, state, player) == pytest.approx(expected)
            seen["met"].add(met)
            seen["fill"] |= {own - fill for own, fill, _ in found.values()}
    return seen


def games_of(text):
    """The map with every number of bikes that it has starts for."""
    starts = sum(sign.isdigit() for rows in read_map(text).floors for row in rows for sign in row)
    return [make("tron", map=text, players=players) for players in range(1, starts + 1)]


# By hand.


def test_a_cell_is_of_the_nearest_bike_and_of_nobody_where_two_are_as_near():
    game = room("#########", "#1    2 #", "#########")
    assert value(game, start(game)) == 0.0  # two each; the cell behind bike 1 leads nowhere
    game = room("##########", "#  1   2 #", "##########")
    # Bike 0 has one of the cells between, as bike 1; behind it are two, behind bike 1 one.
    assert value(game, start(game)) == lead((2, 2), (1, 1))


def test_the_best_chain_of_chambers_is_filled():
    game = room("#######", "#1    #", "### ###", "#     #", "#######", players=1)
    assert value(game, start(game)) == 6  # two cells, the door, three of the five behind it


@pytest.mark.parametrize(("name", "most"), [("room", 164), ("workshop", 163)])
def test_in_a_chamber_the_colours_alternate(name, most):
    game = make("tron", map=find_map("tron", name), players=1)
    assert value(game, start(game)) == most


def test_a_pair_of_teleporters_is_one_cell():
    game = room("#########", "#1 A#A  #", "#########", players=1)
    assert value(game, start(game)) == 4
    assert value(game, played(game, RIGHT, RIGHT)) == 4


def test_a_bike_on_one_end_of_a_pair_has_not_the_neighbours_of_the_other():
    game = room("#########", "#1 A#A  #", "### #####", "#   #####", "#########", players=1)
    assert value(game, start(game)) == 2 + 4
    assert value(game, played(game, RIGHT, RIGHT)) == 2 + 2


def test_where_the_board_has_no_two_colours_all_cells_of_a_chamber_can_be_filled():
    ring = room("1    ", players=1, wrap="x")
    assert not territory(ring).bipartite
    assert value(ring, start(ring)) == 4
    assert territory(room("1     ", players=1, wrap="x")).bipartite


def test_bikes_that_cannot_meet_are_told_apart_by_what_they_can_fill():
    game = room("#########", "#1  #  2#", "#   #  ##", "#########")
    assert value(game, start(game), 0) == SEPARATED * (5 - 4)
    assert value(game, start(game), 1) == -SEPARATED


def test_bikes_that_only_meet_in_one_cell_do_meet():
    game = room("##########", "#   1 2  #", "##########")
    assert value(game, start(game)) == lead((3, 4), (2, 2))


def test_what_a_bike_could_fill_on_its_way_to_a_front_does_not_count():
    game = room("############", "#1        2#", "#  #########", "############")
    assert value(game, start(game)) == 0.0  # four cells of the corridor each, the last at the front
    game = room("############", "#1  #     2#", "#  #########", "############")
    assert value(game, start(game)) == SEPARATED * (4 - 5)


# The end.


def test_a_result_is_beyond_every_territory():
    game = room("#####", "#1 2#", "#   #", "#####")
    crash = played(game, RIGHT, LEFT)
    assert mover(game, crash) == OVER
    assert value(game, crash) == 0.0
    won = played(game, DOWN, UP)
    assert mover(game, won) == OVER
    assert [value(game, won, player) for player in (0, 1)] == [WON - 1, 1 - WON]


def test_who_is_out_is_worse_off_than_who_is_not_whatever_its_place():
    game = room("########", "#1  2  #", "#      #", "#3  4  #", "########", players=4)
    state = played(game, UP, UP, DOWN, RIGHT)
    assert living(game, state) == [3]
    assert mover(game, state) == OVER
    assert value(game, state, 3) == WON - 1
    shared = value(game, state, 0)
    assert -3 * WON <= shared < -WON
    state = played(game, UP, DOWN, RIGHT, RIGHT)
    assert living(game, state) == [1, 2, 3]
    assert value(game, state, 0) == -3 * (WON - 1)
    assert abs(value(game, state, 1)) < WON


def test_a_side_that_has_a_bike_left_is_in_the_game():
    teams = [[0, 1], [2, 3]]
    game = room("########", "#1  2  #", "#      #", "#3  4  #", "########", players=4, teams=teams)
    state = played(game, UP, DOWN, RIGHT, RIGHT)
    assert value(game, state, 0) == value(game, state, 1) == -value(game, state, 2)
    assert abs(value(game, state, 0)) < WON


# Against the second reckoning.


@pytest.mark.parametrize("order", ["simultaneous", "turns"])
@pytest.mark.parametrize("name", ALL)
def test_random_positions_of_small_maps_are_worth_what_the_plain_reckoning_says(name, order):
    for each in games_of(ALL[name]):
        game = make("tron", map=ALL[name], players=each.players, order=order)
        compare(game, positions(game, 8, seed=game.players).tolist())


@pytest.mark.full
@pytest.mark.parametrize("name", some(shipped("tron"), 4))
def test_so_are_those_of_the_shipped_maps(name):
    for game in games_of(find_map("tron", name)):
        compare(game, positions(game, 6, seed=3).tolist())


@pytest.mark.full
def test_so_are_those_of_random_ruins_that_have_everything_to_tell_apart():
    seen = {"met": set(), "fill": set()}
    rng = np.random.default_rng(1)
    for number in range(150):
        signs = rng.choice(list("   #"), (7, 9))
        cells = rng.permutation(63)[:6]
        for sign, cell in zip("12AABB", cells, strict=True):
            signs[cell // 9, cell % 9] = sign
        rows = ["".join(row) for row in signs]
        wrap = ["none", "x", "y", "xy"][number % 4]
        try:
            game = room(*rows, wrap=wrap)
        except ValueError:  # a start without a free neighbour
            continue
        for key, found in compare(game, positions(game, 4, seed=number).tolist()).items():
            seen[key] |= found
    assert seen["met"] == {True, False}
    assert seen["fill"] >= set(range(8))


@pytest.mark.parametrize("name", ["duel", "ghosts", "torus", "ziggurat", "room"])
def test_a_kernel_finds_the_same_values(name):
    for game in games_of(find_map("tron", name)):
        evaluation = territory(game)
        for state in positions(game, 4, seed=5):
            for player in range(game.players):
                expected = evaluate(evaluation, game, state.tolist(), player)
                assert territories(game, evaluation, state[None], player) == expected


@pytest.mark.game("virus")
def test_a_game_without_bikes_has_no_territory():
    with pytest.raises(NotImplementedError, match="Virus has no territory"):
        evaluate(territory(make("tron")), make("virus"), [0] * 6, 0)
