"""The kernels of the filling search: one dives for a path, one polishes the longest so far.

The dive looks at the paths from a cell, in depth. The neighbour with the fewest ways on comes first
(Warnsdorff, 1823), and it turns back where the bound of `graph.longest` falls short: so it finds a
path of a length, or proves that there is none.

The polish changes a path in place, to make it longer. Its end goes on; a free cell, or two, come in
between two others; a free cell changes places with one of the path; two cells are left out; the end
is joined to a cell of the path, and the part behind that one is turned round (Posa, 1976). Now and
then the path is cut off and goes another way.
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
    lower_end,
    survey,
)

FOUND, NONE, UNDECIDED = 0, 1, 2  # how a dive ended
LENGTH = 0  # place in FillWork.best
FAR = 1 << 30
KINDS = 128  # of the changes tried one leaves two cells out; of the others half turn the end


class FillWork(NamedTuple):
    """The arrays that the kernels work in; one set per thread."""

    survey: Survey
    taken: np.ndarray  # uint8[cells], 1 where no path may enter
    path: np.ndarray  # int32[cells + 1], its cells; the head first
    position: np.ndarray  # int32[cells], where in the path; -1 for cells that are not in it
    best: np.ndarray  # int32[cells + 1]: moves of the longest path so far, then its cells
    options: np.ndarray  # int32[MOST_DIRECTIONS * (cells + 1)], by depth: cells to go to
    left: np.ndarray  # int32[cells + 1], by depth: how many of the options are to be tried
    free: np.ndarray  # int32[1], how many cells are free, while a path is changed
    holes: np.ndarray  # int32[cells], the free cells in any order
    hole: np.ndarray  # int32[cells], where in `holes`; -1 for cells that are not free


def fill_work(cells: int) -> FillWork:
    """Arrays for graphs of that many cells, cell 0 included."""
    longer = cells + 1
    sizes = longer, cells, longer, MOST_DIRECTIONS * longer, longer, 1, cells, cells
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
            _mark(graph, taken, cell, 1)
            _list_options(graph, work, depth, mixed, rng)
            ways = left[index(depth)]
            if ways == 0:
                _record(work, depth)
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
def _record(work, length):
    """Notes the path's first `length` moves if they are the most so far."""
    if length > work.best[LENGTH]:
        work.best[LENGTH] = length
        for place in range(1, length + 1):
            work.best[index(place)] = work.path[index(place)]


@kernel
def polish(graph, head, wanted, steps, rng, work):
    """Changes `work.best` in at most `steps` steps, until it has `wanted` moves; `rng` advances."""
    longest(graph, work.taken, head, work.survey)
    length = _restore(graph, work, head)
    patience = 200 + 8 * length
    idle = 0
    for _ in range(steps):
        grown = _extend(graph, work, length, rng)
        if grown == 0:
            if length > work.best[LENGTH]:
                _record(work, length)
                idle = 0
            if length >= wanted:
                return
            kind = below(rng, KINDS)
            if kind == 0:
                grown = _dent(graph, work, length, rng)
            elif kind < KINDS // 2:
                grown = _fill_hole(graph, work, length, rng)
            else:
                _turn_end(graph, work, length, rng)
        length += grown
        idle = 0 if grown > 0 else idle + 1
        if idle > patience:
            if length < work.best[LENGTH]:
                length = _restore(graph, work, head)
            length = _cut(graph, work, length, rng)
            idle = 0
    _record(work, length)


@helper
def _restore(graph, work, head):
    """Makes the best path the one to change; returns its moves."""
    path, hole = work.path, work.hole
    count = 0
    for cell in range(1, hole.size):
        work.position[index(cell)] = hole[index(cell)] = -1
        found = work.survey.order[index(lower_end(graph, cell))]
        if found > 0 and work.taken[index(cell)] == 0:
            work.holes[index(count)] = cell
            hole[index(cell)] = count
            count += 1
    work.free[0] = count
    path[0] = head
    work.position[index(head)] = 0
    length = int(work.best[LENGTH])
    for place in range(1, length + 1):
        _put(graph, work, place, int(work.best[index(place)]))
    return length


@helper
def _put(graph, work, place, cell):
    """Makes a free cell the one at a place of the path."""
    work.path[index(place)] = cell
    work.position[index(cell)] = place
    _take_hole(work, cell)
    other_end = int(graph.partner[index(cell)])
    if other_end != 0:
        _take_hole(work, other_end)


@helper
def _take_hole(work, cell):
    count = int(work.free[0]) - 1
    last = int(work.holes[index(count)])
    place = int(work.hole[index(cell)])
    work.holes[index(place)] = last
    work.hole[index(last)] = place
    work.hole[index(cell)] = -1
    work.free[0] = count


@helper
def _free_cell(graph, work, cell):
    """Takes a cell out of the path; the cells behind it are not moved up."""
    work.position[index(cell)] = -1
    _give_hole(work, cell)
    other_end = int(graph.partner[index(cell)])
    if other_end != 0:
        _give_hole(work, other_end)


@helper
def _give_hole(work, cell):
    count = int(work.free[0])
    work.holes[index(count)] = cell
    work.hole[index(cell)] = count
    work.free[0] = count + 1


@helper
def _leads(graph, cell, to):
    for direction in range(graph.directions):
        if graph.neighbour[index(SLOTS * cell + direction)] == to:
            return True
    return False


@helper
def _extend(graph, work, length, rng):
    """Goes on from the end, to a free cell with few ways on; returns the moves made, 0 or 1."""
    row = SLOTS * int(work.path[index(length)])
    chosen = 0
    fewest = FAR
    for direction in range(graph.directions):
        near = int(graph.neighbour[index(row + direction)])
        if near != 0 and work.hole[index(near)] >= 0:
            ways = 0
            for onward in range(graph.directions):
                beyond = int(graph.neighbour[index(SLOTS * near + onward)])
                ways += int(beyond != 0 and work.hole[index(beyond)] >= 0)
            ways = 8 * ways + below(rng, 8)
            if ways < fewest:
                chosen, fewest = near, ways
    if chosen == 0:
        return 0
    _put(graph, work, length + 1, chosen)
    return 1


@helper
def _fill_hole(graph, work, length, rng):
    """Brings a free cell, alone or with another, into the path, or lets it change places with one.

    Returns by how many moves the path is longer.
    """
    count = int(work.free[0])
    if count == 0:
        return 0
    cell = int(work.holes[index(below(rng, count))])
    after = int(graph.neighbour[index(SLOTS * cell + below(rng, graph.directions))])
    place = int(work.position[index(after)]) if after != 0 else -1
    if place < 1:
        return 0
    before = int(work.path[index(place - 1)])
    if _leads(graph, before, cell):
        _shift(work, place, length, 1)
        _put(graph, work, place, cell)
        return 1
    for direction in range(graph.directions):
        second = int(graph.neighbour[index(SLOTS * before + direction)])
        if second == 0 or work.hole[index(second)] < 0 or second == against(graph, cell):
            continue
        if second != cell and _leads(graph, second, cell):
            _shift(work, place, length, 2)
            _put(graph, work, place, second)
            _put(graph, work, place + 1, cell)
            return 2
    if place >= 2 and _leads(graph, int(work.path[index(place - 2)]), cell):
        _free_cell(graph, work, before)
        _put(graph, work, place - 1, cell)
    return 0


@helper
def _dent(graph, work, length, rng):
    """Leaves two cells of the path out where it can go straight on; returns -2, or 0."""
    if length < 3:
        return 0
    place = below(rng, length - 2)
    if not _leads(graph, int(work.path[index(place)]), int(work.path[index(place + 3)])):
        return 0
    _free_cell(graph, work, int(work.path[index(place + 1)]))
    _free_cell(graph, work, int(work.path[index(place + 2)]))
    for at in range(place + 3, length + 1):
        cell = int(work.path[index(at)])
        work.path[index(at - 2)] = cell
        work.position[index(cell)] = at - 2
    return -2


@helper
def _shift(work, place, length, by):
    """Makes room for cells before the one at a place of the path."""
    for back in range(length - place + 1):
        at = length - back
        cell = int(work.path[index(at)])
        work.path[index(at + by)] = cell
        work.position[index(cell)] = at + by


@helper
def _turn_end(graph, work, length, rng):
    """Joins the end to a cell of the path, and turns round the part behind that cell."""
    path, position = work.path, work.position
    row = SLOTS * int(path[index(length)])
    near = int(graph.neighbour[index(row + below(rng, graph.directions))])
    if near == 0:
        return
    joined = int(position[index(against(graph, near))])
    if joined < 0 or joined >= length - 1:
        return
    first, last = joined + 1, length
    while first <= last:
        one = against(graph, int(path[index(first)]))
        other = against(graph, int(path[index(last)]))
        # Both ends of a pair may stand for it, so its other end leaves the path first.
        position[index(path[index(first)])] = position[index(path[index(last)])] = -1
        path[index(first)], path[index(last)] = other, one
        position[index(other)], position[index(one)] = first, last
        first, last = first + 1, last - 1


@helper
def _cut(graph, work, length, rng):
    """Cuts the path off at a random place, more often near its end, and goes another way there."""
    if length == 0:
        return 0
    reach = length if below(rng, 2) == 0 else min(length, 24)
    kept = length - 1 - below(rng, reach)
    for place in range(kept + 1, length + 1):
        _free_cell(graph, work, int(work.path[index(place)]))
    row = SLOTS * int(work.path[index(kept)])
    near = int(graph.neighbour[index(row + below(rng, graph.directions))])
    if near == 0 or work.hole[index(near)] < 0:
        return kept
    _put(graph, work, kept + 1, near)
    return kept + 1
