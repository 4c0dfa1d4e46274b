"""The moves that a bike can make at most, once no other can meet it.

Territory reckons them too high where a chamber has dead ends or its colours lie badly. The bound of
`search.fill_bound` is seldom too high, but takes longer, so it is asked only where two bikes can
fill nearly as much, and is remembered: a search comes to the same region by many ways.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.games.tron.arena import HEAD
from joute.games.tron.players.fill import graph_of
from joute.search.fill_bound import Steps, most_moves, steps
from joute.search.graph import Graph, Survey, helper, survey
from joute.search.transpositions import hashed

OWNER = 15  # the part of a label that says whose a cell is
MEMORY_LOG2 = 14  # regions that are remembered
TAKEN, HERE = 1, 2  # marks of cells where no path may go; HERE is the head


class Regions(NamedTuple):
    """The regions of parted bikes: the board, and room to work in."""

    graph: Graph
    survey: Survey
    steps: Steps
    taken: np.ndarray  # uint8[cells], 0 where the bike may go
    keys: np.ndarray  # int64, hashes of `taken`; 0 where nothing is remembered
    moves: np.ndarray  # int32, the moves that a path can have there at most


def regions(game: Any, memory_log2: int = MEMORY_LOG2) -> Regions:
    """Arrays for a game of Tron; nothing is remembered yet."""
    cells, memory = int(game.cells), 1 << memory_log2
    return Regions(
        graph_of(game),
        survey(cells),
        steps(cells),
        np.zeros(cells, np.uint8),
        np.zeros(memory, np.int64),
        np.zeros(memory, np.int32),
    )


@helper
def bound_both(territory: Any, game: Any, state: np.ndarray, sums: np.ndarray, unit: float) -> None:
    """Bounds the moves reckoned in `sums`, in a unit of its own, anew if two bikes are close."""
    if abs(sums[0] - sums[1]) > territory.close * unit:
        return
    for bike in range(2):
        head = int(state[index(HEAD + bike)])
        moves = _most_moves(territory, territory.regions, head, bike + 1)
        sums[index(int(game.team[index(bike)]))] = unit * moves


@helper
def _most_moves(territory: Any, regions: Any, head: int, owner: int) -> int:
    """The moves that the owner of the labels around a head can make at most."""
    taken = regions.taken
    for cell in range(taken.size):
        # Both ends of a pair, or none: the labels stand at the first.
        mine = territory.label[index(int(territory.node[cell]))] & OWNER == owner
        taken[cell] = 0 if mine else TAKEN
    taken[index(head)] = HERE
    key = hashed(taken, taken.size)
    place = index(key & (regions.keys.size - 1))
    if regions.keys[place] != key:
        regions.keys[place] = key
        found = most_moves(regions.graph, taken, head, regions.survey, regions.steps)
        regions.moves[place] = found
    return int(regions.moves[place])
