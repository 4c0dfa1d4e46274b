"""The kernels of the filling search that begin a path; `fill_anneal` makes it longer.

The greedy path goes where the bound of `graph.longest` is highest, and of equals to the neighbour
with the fewest ways on (Warnsdorff, 1823).

The dive looks at the paths from a cell, in depth. The neighbour with the fewest ways on comes
first, and it turns back where the bound of `graph.longest` falls short: so it finds a path of a
length, or proves that there is none.
"""

from typing import NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.compiled import kernel
from joute.core.random import below
from joute.search.graph import (
    MOST_DIRECTIONS,
    SLOTS,
    Survey,
    against,
    helper,
    longest,
    survey,
)

FOUND, NONE, UNDECIDED = 0, 1, 2  # how a dive ended
LENGTH = 0  # place in FillWork.best


class FillWork(NamedTuple):
    """The arrays that the kernels work in; one set per thread."""

    survey: Survey
    taken: np.ndarray  # uint8[cells], 1 where no path may enter
    path: np.ndarray  # int32[cells + 1], its cells; the head first
    position: np.ndarray  # int32[cells], where in the path; -1 for cells that are not in it
    best: np.ndarray  # int32[cells + 1]: moves of the longest path so far, then its cells
    options: np.ndarray  # int32[MOST_DIRECTIONS * (cells + 1)], by depth: cells to go to
    left: np.ndarray  # int32[cells + 1], by depth: how many of the options are to be tried


def fill_work(cells: int) -> FillWork:
    """Arrays for graphs of that many cells, cell 0 included."""
    longer = cells + 1
    sizes = longer, cells, longer, MOST_DIRECTIONS * longer, longer
    arrays = (np.zeros(size, np.int32) for size in sizes)
    return FillWork(survey(cells), np.zeros(cells, np.uint8), *arrays)


@kernel
def dive(graph, head, wanted, nodes, mixed, rng, work):
    """Looks for a path of `wanted` moves at least, in at most `nodes` steps.

    Neighbours with equally many ways on are tried in a random order if `mixed`.
    Returns FOUND, NONE if there is none, or UNDECIDED. `work.taken` is left as it was; `work.best`
    is replaced by any longer path that is met.
    """
    path, taken, left = work.path, work.taken, work.left
    depth = 0
    path[0] = head
    _list_options(graph, work, 0, mixed, rng)
    result = UNDECIDED
    while True:
        if left[index(depth)] > 0:
            left[index(depth)] -= 1
            cell = int(work.options[index(MOST_DIRECTIONS * depth + int(left[index(depth)]))])
            depth += 1
            path[index(depth)] = cell
            mark_cell(graph, taken, cell, 1)
            _list_options(graph, work, depth, mixed, rng)
            ways = left[index(depth)]
            if ways == 0:
                record(work, depth)
                if depth >= wanted:
                    result = FOUND
            elif ways > 1 and depth + longest(graph, taken, cell, work.survey) < wanted:
                left[index(depth)] = 0
            nodes -= 1
            if nodes <= 0 or result == FOUND:
                break
        elif depth == 0:
            result = NONE
            break
        else:
            mark_cell(graph, taken, int(path[index(depth)]), 0)
            depth -= 1
    while depth > 0:
        mark_cell(graph, taken, int(path[index(depth)]), 0)
        depth -= 1
    return result


@helper
def mark_cell(graph, taken, cell, mark):
    """Marks a cell, and the other end of its pair, as taken (1) or free (0)."""
    taken[index(cell)] = mark
    taken[index(against(graph, cell))] = mark


@helper
def _ways(graph, taken, cell):
    """The number of free cells that a cell leads to."""
    count = 0
    for direction in range(graph.directions):
        near = int(graph.neighbour[index(SLOTS * cell + direction)])
        count += int(near != 0 and taken[index(near)] == 0)
    return count


@helper
def _list_options(graph, work, depth, mixed, rng):
    """Lists where the path's cell at `depth` leads to; the first to be tried comes last."""
    row = SLOTS * int(work.path[index(depth)])
    first = MOST_DIRECTIONS * depth
    count = 0
    direction = below(rng, graph.directions) if mixed else 0
    for _ in range(graph.directions):
        direction = direction - 1 if direction > 0 else graph.directions - 1
        near = int(graph.neighbour[index(row + direction)])
        if near == 0 or work.taken[index(near)]:
            continue
        ways = _ways(graph, work.taken, near)
        place = count
        while place > 0:
            before = int(work.options[index(first + place - 1)])
            if _ways(graph, work.taken, before) >= ways:
                break
            work.options[index(first + place)] = before
            place -= 1
        work.options[index(first + place)] = near
        count += 1
    work.left[index(depth)] = count


@helper
def record(work, length):
    """Notes the path's first `length` moves if they are the most so far."""
    if length > work.best[LENGTH]:
        work.best[LENGTH] = length
        for place in range(1, length + 1):
            work.best[index(place)] = work.path[index(place)]


@kernel
def follow_bound(graph, head, looks, rng, work):
    """Writes to `work.best` the greedy path, if it is longer; returns its moves.

    It looks at the bound of at most `looks` cells, of the last ones only at their ways on.
    """
    path, taken = work.path, work.taken
    depth = 0
    path[0] = head
    while True:
        _list_options(graph, work, depth, True, rng)
        count = int(work.left[index(depth)])
        if count == 0:
            break
        first = MOST_DIRECTIONS * depth
        chosen = int(work.options[index(first + count - 1)])
        most = -1
        for back in range(count if count > 1 and looks > 0 else 0):
            cell = int(work.options[index(first + count - 1 - back)])
            mark_cell(graph, taken, cell, 1)
            moves = longest(graph, taken, cell, work.survey)
            mark_cell(graph, taken, cell, 0)
            looks -= 1
            if moves > most:
                chosen, most = cell, moves
        depth += 1
        path[index(depth)] = chosen
        mark_cell(graph, taken, chosen, 1)
    record(work, depth)
    for place in range(1, depth + 1):
        mark_cell(graph, taken, int(path[index(place)]), 0)
    return depth
