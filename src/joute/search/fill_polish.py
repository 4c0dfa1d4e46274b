"""The filling search's polish: a path that is changed in place, to become longer.

Its end goes on; a free cell, or two, come in between two others; a free cell changes places with
one of the path; two cells are left out; the end is joined to a cell of the path, and what was
behind that one is turned round (Posa, 1976). Now and then the path is cut off and goes another way.
"""

from joute.core.arrays import index
from joute.core.compiled import kernel
from joute.core.random import below
from joute.search.fill_dive import LENGTH, record
from joute.search.graph import SLOTS, against, helper, longest, lower_end

FAR = 1 << 30
KINDS = 128  # of the changes tried one leaves two cells out; of the others half turn the end


@kernel
def polish(graph, head, wanted, steps, rng, work):
    """Change `work.best` for at most `steps` steps, until it has `wanted` moves; `rng` advances."""
    longest(graph, work.taken, head, work.survey)
    length = _restore(graph, work, head)
    patience = 200 + 8 * length
    idle = 0
    for _ in range(steps):
        grown = _extend(graph, work, length, rng)
        if grown == 0:
            if length > work.best[LENGTH]:
                record(work, length)
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
    record(work, length)


@helper
def _restore(graph, work, head):
    """Make the best path the one to change; return its moves."""
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
    """Make a free cell the one at a place of the path."""
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
def _free(graph, work, cell):
    """Take a cell out of the path; what is behind it is not moved up."""
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
    """Go on from the end, to a free cell with few ways on; return the moves made, 0 or 1."""
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
    """Bring a free cell, alone or with another, into the path, or let it change places with one.

    Return by how many moves the path is longer.
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
        _free(graph, work, before)
        _put(graph, work, place - 1, cell)
    return 0


@helper
def _dent(graph, work, length, rng):
    """Leave two cells of the path out where it can go straight on; return -2, or 0."""
    if length < 3:
        return 0
    place = below(rng, length - 2)
    if not _leads(graph, int(work.path[index(place)]), int(work.path[index(place + 3)])):
        return 0
    _free(graph, work, int(work.path[index(place + 1)]))
    _free(graph, work, int(work.path[index(place + 2)]))
    for at in range(place + 3, length + 1):
        cell = int(work.path[index(at)])
        work.path[index(at - 2)] = cell
        work.position[index(cell)] = at - 2
    return -2


@helper
def _shift(work, place, length, by):
    """Make room for cells before the one at a place of the path."""
    for back in range(length - place + 1):
        at = length - back
        cell = int(work.path[index(at)])
        work.path[index(at + by)] = cell
        work.position[index(cell)] = at + by


@helper
def _turn_end(graph, work, length, rng):
    """Join the end to a cell of the path, and turn round what was behind that cell."""
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
    """Cut the path off at a random place, more often near its end, and go another way there."""
    if length == 0:
        return 0
    reach = length if below(rng, 2) == 0 else min(length, 24)
    kept = length - 1 - below(rng, reach)
    for place in range(kept + 1, length + 1):
        _free(graph, work, int(work.path[index(place)]))
    row = SLOTS * int(work.path[index(kept)])
    near = int(graph.neighbour[index(row + below(rng, graph.directions))])
    if near == 0 or work.hole[index(near)] < 0:
        return kept
    _put(graph, work, kept + 1, near)
    return kept + 1
