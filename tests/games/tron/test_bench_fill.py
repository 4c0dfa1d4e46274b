"""The reference that fills as the winner of 2010 did, and the positions it is compared on."""

from itertools import islice

import numpy as np
import pytest
from games.tron.maps import superset

from bench import tron_fill
from bench.tron_fill import Position, champion, fill_row, filled, positions, winner
from joute.core.interface import start
from joute.core.registry import make
from joute.games.tron.board import SLOTS
from joute.games.tron.text import heads, marks
from joute.search.graph import Graph

SECONDS = 0.0005


def alone(*rows):
    game = make("tron", map=superset("room", "\n".join(rows)), players=1)
    state = start(game).tolist()
    taken = np.array(marks(game, state), bool).astype(np.uint8)
    graph = Graph(game.directions, game.neighbour, game.partner)
    return Position(graph, taken, heads(game, state)[0])


@pytest.mark.parametrize(
    ("rows", "moves"),
    [
        (("#######", "#1    #", "#######"), 4),
        (("#######", "##   1#", "#### ##", "#### ##", "#######"), 3),
        (("######", "#1   #", "#    #", "#    #", "######"), 11),
        (("A.##A..", "1######"), 3),
    ],
)
@pytest.mark.parametrize("player", [winner, champion])
def test_both_fill_what_is_left_to_them(player, rows, moves):
    position = alone(*rows)
    assert filled(position, player(position.graph, SECONDS)) == moves


def test_the_reference_takes_of_equals_the_way_with_the_fewest_free_cells_around_it():
    position = alone("#######", "#     #", "#  1  #", "#     #", "#######")
    graph, taken = position.graph, position.taken
    values = []
    for direction in range(graph.directions):
        to = int(graph.neighbour[SLOTS * position.head + direction])
        near = graph.neighbour[SLOTS * to : SLOTS * to + graph.directions]
        values.append(sum(1 for each in near if each and not taken[each]))
    chosen = tron_fill.Winner(graph).choose(taken, position.head, 0.0)
    assert values[chosen] == min(values)
    assert taken.sum() == position.taken.sum()


def test_positions_are_of_bikes_that_have_parted():
    for position in islice(positions(4), 4):
        assert position.taken[position.head]
        reached = tron_fill.Filler(position.graph).bound(position.taken, position.head)
        assert reached >= tron_fill.LEAST


def test_the_row_compares_both_at_the_same_time():
    row = fill_row(2, SECONDS)
    assert row.unit == "cells"
    assert row.value >= tron_fill.LEAST - 2
    assert "as in 2010: " in row.against and row.met in (True, False)
