"""The graph of a Tron map: what leads where, and how far one bike can go."""

import random

import pytest
from games.tron.making_maps import sound_maps
from helpers import COPIES
from hypothesis import given, settings
from hypothesis import strategies as st

from joute.games.tron.board import STEPS, TronMap, board, sign_at, two_colour_bound
from joute.games.tron.map import map_errors, read_map, write_map

LEFT, UP, RIGHT, DOWN, UPSTAIRS, DOWNSTAIRS = range(6)
BACK = (RIGHT, DOWN, LEFT, UP, DOWNSTAIRS, UPSTAIRS)


def flat(*rows, wrap="none"):
    return TronMap("", len(rows[0]), len(rows), (rows,), wrap=wrap)


def leads(graph, x, y, floor=0):
    """The places to which the six directions of a place lead, None where closed."""
    cell = graph.places.index((x, y, floor))
    to = graph.neighbour[8 * cell : 8 * cell + 6]
    return [graph.places[each] if each else None for each in to]


def bound(found, wrap="none"):
    graph = board(found, wrap)
    return two_colour_bound(graph, graph.starts[0])


def test_cells_are_numbered_from_the_bottom_left_and_walls_have_no_number():
    graph = board(flat("#2 ", "1# "), "none")
    expected = ((-1, -1, -1), (0, 0, 0), (2, 0, 0), (1, 1, 0), (2, 1, 0))
    assert expected == graph.places
    assert graph.starts == (1, 3)
    assert graph.neighbour.shape == (5 * 8,)
    assert not graph.neighbour[:8].any()
    assert leads(graph, 2, 0) == [None, (2, 1, 0), None, None, None, None]


def test_edges_are_walls_unless_they_are_joined():
    rows = ("1 #", "   ", "#  ")
    assert leads(board(flat(*rows), "none"), 0, 1) == [None, (0, 2, 0), (1, 1, 0), *[None] * 3]
    around = board(flat(*rows), "xy")
    assert leads(around, 0, 1)[LEFT] == (2, 1, 0)
    assert leads(around, 1, 2)[UP] == (1, 0, 0)
    # An edge cell that is a wall stays closed, from both sides.
    assert leads(around, 0, 2)[LEFT] is None
    assert leads(around, 2, 0)[DOWN] is None
    assert leads(board(flat(*rows), "x"), 1, 2)[UP] is None
    assert leads(board(flat(*rows), "y"), 0, 1)[LEFT] is None


def test_a_joined_edge_does_not_lead_back_to_the_same_cell():
    assert leads(board(flat("1", " "), "xy"), 0, 1)[:4] == [None, (0, 0, 0), None, (0, 0, 0)]


def test_entering_an_end_leads_to_the_other_end_and_leaving_it_does_not():
    graph = board(flat("1A #A 2"), "none")
    assert leads(graph, 0, 0)[RIGHT] == (4, 0, 0)
    assert leads(graph, 2, 0)[LEFT] == (4, 0, 0)
    assert leads(graph, 5, 0)[LEFT] == (1, 0, 0)
    assert leads(graph, 4, 0)[RIGHT] == (5, 0, 0)
    one, other = (graph.places.index((x, 0, 0)) for x in (1, 4))
    assert (graph.partner[one], graph.partner[other]) == (other, one)


def test_from_one_end_to_the_other_beside_it_there_is_no_way():
    graph = board(flat("1AA2"), "none")
    assert leads(graph, 1, 0)[RIGHT] is None
    assert leads(graph, 0, 0)[RIGHT] == (2, 0, 0)


def test_stairs_lead_to_the_same_place_of_the_next_floor():
    floors = (("1u",), (" b",), ("2d",))
    graph = board(TronMap("", 2, 1, floors), "none")
    assert leads(graph, 1, 0, 0)[4:] == [(1, 0, 1), None]
    assert leads(graph, 1, 0, 1)[4:] == [(1, 0, 2), (1, 0, 0)]
    assert leads(graph, 1, 0, 2)[4:] == [None, (1, 0, 1)]
    assert leads(graph, 0, 0, 1)[4:] == [None, None]


@given(sound_maps(), st.sampled_from(["none", "x", "y", "xy"]))
@settings(max_examples=60, derandomize=True)
def test_ways_without_teleporters_lead_back_and_pairs_are_pairs(drawn, wrap):
    graph = board(drawn, wrap)
    cells = len(graph.places)
    free = sum(sign != "#" for rows in drawn.floors for row in rows for sign in row)
    assert free == cells - 1
    assert [int(sign_at(drawn, graph.places[cell])) for cell in graph.starts] == [
        *range(1, len(graph.starts) + 1)
    ]
    for cell in range(1, cells):
        other = int(graph.partner[cell])
        assert (other > 0) == sign_at(drawn, graph.places[cell]).isupper()
        assert other == 0 or (graph.partner[other] == cell and other != cell)
        for direction in range(len(STEPS)):
            to = int(graph.neighbour[8 * cell + direction])
            assert to != cell
            if to and not graph.partner[to]:
                back = graph.neighbour[8 * to + BACK[direction]]
                # Towards an end, one is put on the other.
                assert back in (other or cell, 0 if other == to else other or cell)
        assert not graph.neighbour[8 * cell + 6 : 8 * cell + 8].any()


@pytest.mark.parametrize(("name", "moves"), [("classic165", 164), ("template164", 163)])
def test_the_bound_of_the_workshop_s_rooms_is_their_maximum(name, moves):
    assert moves == bound(read_map((COPIES / "tron" / f"{name}.txt").read_text("utf-8")))


def test_the_bound_is_what_can_be_reached_in_small_rooms():
    assert bound(flat("1 ")) == 1
    assert bound(flat("1  ")) == 2
    assert bound(flat(" 1 ")) == 1
    assert bound(flat("   ", " 1 ", "   ")) == 8
    assert bound(flat("1#  ")) == 0


def test_of_a_pair_one_end_counts():
    assert bound(flat("1A#A ")) == 2
    assert bound(flat("1A A#")) == 2
    assert bound(flat(" 1 A", "A###")) == 3


def test_where_colours_do_not_alternate_there_is_no_bound():
    assert bound(flat("1  "), "x") is None
    assert bound(flat("1   "), "x") == 3
    assert bound(flat("1A  A")) is None


def longest(graph, cell, taken):
    """The most moves from a cell, by trying all."""
    best = 0
    for entry in graph.neighbour[8 * cell : 8 * cell + 6]:
        to = int(entry)
        if to not in taken:
            pair = {to, int(graph.partner[to])}
            best = max(best, 1 + longest(graph, to, taken | pair))
    return best


def test_no_bike_goes_beyond_the_bound_on_small_random_maps():
    rng = random.Random(3)
    told = 0
    while told < 200:
        signs = [rng.choice("   #") for _ in range(12)]
        for sign in rng.choice(["1", "1AA", "1AABB"]):
            signs[rng.randrange(12)] = sign
        rows = ["".join(signs[begin : begin + 4]) for begin in (0, 4, 8)]
        found = flat(*rows, wrap=rng.choice(["none", "x"]))
        if map_errors(write_map(found)):
            continue
        graph = board(found, found.wrap)
        most = two_colour_bound(graph, graph.starts[0])
        if most is not None:
            assert longest(graph, graph.starts[0], {0, graph.starts[0]}) <= most, rows
            told += 1
