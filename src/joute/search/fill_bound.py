"""A second bound of the paths on a graph: each cell has two steps at most, one in and one out.

A path uses at most two of the steps at a cell, one at its head, and one at each end of a pair, as
it comes to one end and goes on from the other. How many steps can be chosen so is a matter of
matching where the board has two colours, each cell next to cells of the other one: Kuhn, "The
Hungarian method for the assignment problem" (1955), in its unweighted form. It sees where colours
are unevenly spread, which `graph.longest` sees only in parts that single cells cut off.
"""

from typing import NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.compiled import kernel
from joute.search.graph import SLOTS, against, helper

NONE = -1


class Matching(NamedTuple):
    """What `most_steps` works in, int32[cells] each but for the first."""

    chosen: np.ndarray  # uint8[SLOTS * cells], steps from cells of colour 0 that are chosen
    colour: np.ndarray  # 0 or 1; NONE for what is taken
    room: np.ndarray  # how many more steps a cell can have
    queue: np.ndarray
    source: np.ndarray  # by which of `chosen` a cell was come to; NONE: not yet


def matching(cells: int) -> Matching:
    """Room for graphs of that many cells."""
    columns = [np.zeros(cells, np.int32) for _ in Matching._fields[1:]]
    return Matching(np.zeros(SLOTS * cells, np.uint8), *columns)


@kernel
def most_steps(graph, taken, head, work):
    """No path from `head` through cells that are not `taken` has more moves.

    `taken` (uint8[cells]) holds the head, and of each pair both ends or none. The number of cells
    where the board has not two colours.
    """
    cells = taken.size
    if not _colour(graph, taken, head, work):
        return cells
    for cell in range(cells):
        work.room[cell] = 1 if cell == head or graph.partner[cell] != 0 else 2
    for entry in range(work.chosen.size):
        work.chosen[entry] = 0
    steps = 0
    for cell in range(1, cells):
        while work.colour[cell] == 0 and work.room[cell] > 0 and _augment(graph, cell, work):
            steps += 1
    return steps


@helper
def _beside(graph, cell, direction):
    """The cell that a direction enters, 0 if closed: of a pair the end that is entered."""
    return against(graph, int(graph.neighbour[index(SLOTS * cell + direction)]))


@helper
def _colour(graph, taken, head, work):
    """Give the free cells and the head two colours; whether no two beside each other are alike."""
    colour, queue = work.colour, work.queue
    for cell in range(taken.size):
        colour[cell] = NONE
    for first in range(1, taken.size):
        if colour[first] != NONE or (taken[first] and first != head):
            continue
        colour[first] = 0
        queue[0] = first
        done, found = 0, 1
        while done < found:
            cell = int(queue[index(done)])
            done += 1
            for direction in range(graph.directions):
                to = _beside(graph, cell, direction)
                if to == 0 or (taken[index(to)] and to != head):
                    continue
                if colour[index(to)] == NONE:
                    colour[index(to)] = 1 - colour[index(cell)]
                    queue[index(found)] = to
                    found += 1
                elif colour[index(to)] == colour[index(cell)]:
                    return False
    return True


@helper
def _augment(graph, first, work):
    """Choose one step more, from `first`, of colour 0; the others may change. Whether it can be."""
    chosen, colour, queue, source = work.chosen, work.colour, work.queue, work.source
    for cell in range(source.size):
        source[cell] = NONE
    queue[0] = first
    done, found = 0, 1
    while done < found:
        cell = int(queue[index(done)])
        done += 1
        for direction in range(graph.directions):
            to = _beside(graph, cell, direction)
            if to == 0 or colour[index(to)] == NONE or source[index(to)] != NONE or to == first:
                continue
            entry = SLOTS * cell + direction
            if colour[index(cell)] == 1:
                entry = _step(graph, to, cell)
            if chosen[index(entry)] != colour[index(cell)]:
                continue  # to colour 1 by a step that is not chosen, back by one that is
            source[index(to)] = entry
            if colour[index(to)] == 1 and work.room[index(to)] > 0:
                work.room[index(to)] -= 1
                work.room[index(first)] -= 1
                _change(graph, first, to, work)
                return True
            queue[index(found)] = to
            found += 1
    return False


@helper
def _step(graph, cell, target):
    """The place in `chosen` of the step from a cell to one beside it; an unchosen one if none."""
    for direction in range(graph.directions):
        if _beside(graph, cell, direction) == target:
            return SLOTS * cell + direction
    return 0


@helper
def _change(graph, first, last, work):
    """Choose what was not chosen on the way from `first` to `last`, and the other way round."""
    cell = last
    while cell != first:
        entry = int(work.source[index(cell)])
        work.chosen[index(entry)] = 1 - work.chosen[index(entry)]
        start = entry // SLOTS
        cell = start if cell != start else _beside(graph, start, entry % SLOTS)
