"""The filling search's dive: the paths from a cell, in depth.

The neighbour with the fewest ways on comes first (Warnsdorff, 1823), and the search turns back
where the bound of `graph.longest` falls short: so it finds a path of a length, or proves that there
is none.
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

FOUND, NONE, UNDECIDED = 0, 1, 2  # what a dive ended with

LENGTH = 0  # place in Work.best


class Work(NamedTuple):
    """What the kernels work in; one per thread."""

    survey: Survey
    taken: np.ndarray  # uint8[cells], what no path may enter
    path: np.ndarray  # int32[cells + 1], its cells; the head first
    position: np.ndarray  # int32[cells], where in the path; -1 for cells that are not in it
    best: np.ndarray  # int32[cells + 1]: moves of the longest path so far, then its cells
    options: np.ndarray  # int32[MOST_DIRECTIONS * (cells + 1)], by depth: cells to go to
    left: np.ndarray  # int32[cells + 1], by depth: how many of the options are to be tried
    free: np.ndarray  # int32[1], how many cells are free, while a path is changed
    holes: np.ndarray  # int32[cells], the free cells in any order
    hole: np.ndarray  # int32[cells], where in `holes`; -1 for cells that are not free


def work(cells: int) -> Work:
    """Room for graphs of that many cells, cell 0 included."""

    def ints(length: int) -> np.ndarray:
        return np.zeros(length, np.int32)

    return Work(
        survey=survey(cells),
        taken=np.zeros(cells, np.uint8),
        path=ints(cells + 1),
        position=ints(cells),
        best=ints(cells + 1),
        options=ints(MOST_DIRECTIONS * (cells + 1)),
        left=ints(cells + 1),
        free=ints(1),
        holes=ints(cells),
        hole=ints(cells),
    )


@kernel
def dive(graph, head, wanted, nodes, mixed, rng, work):
    """Look for a path of `wanted` moves at least, in at most `nodes` steps.

    Neighbours with equally many ways on are tried in a random order if `mixed`.
    Return FOUND, NONE if there is none, or UNDECIDED. `work.taken` is left as it was; `work.best`
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
            _mark(graph, taken, cell, 1)
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
            _mark(graph, taken, int(path[index(depth)]), 0)
            depth -= 1
    while depth > 0:
        _mark(graph, taken, int(path[index(depth)]), 0)
        depth -= 1
    return result


@helper
def _mark(graph, taken, cell, mark):
    taken[index(cell)] = mark
    taken[index(against(graph, cell))] = mark


@helper
def _ways(graph, taken, cell):
    """How many free cells a cell leads to."""
    count = 0
    for direction in range(graph.directions):
        near = int(graph.neighbour[index(SLOTS * cell + direction)])
        count += int(near != 0 and taken[index(near)] == 0)
    return count


@helper
def _list_options(graph, work, depth, mixed, rng):
    """List where the path's cell at `depth` leads to; what is to be tried first comes last."""
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
    """Note the path's first `length` moves if they are the most so far."""
    if length > work.best[LENGTH]:
        work.best[LENGTH] = length
        for place in range(1, length + 1):
            work.best[index(place)] = work.path[index(place)]
