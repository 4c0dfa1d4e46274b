"""Annealing of a path: it changes in place, so as to become longer.

A *detour* leaves the path at a random cell, goes through free cells as chance has it, and comes
back to the path further on; the cells between are left out. So a path takes in free cells, changes
places with them, and also gets shorter, which is accepted the less likely the shorter it gets and
the colder it is (Kirkpatrick, Gelatt and Vecchi, "Optimization by simulated annealing", 1983). One
that does not come back is a new end. A part of the path can also be turned round, if its two ends
lead to where they then go; the end itself goes nowhere (Posa, 1976).
"""

import math

from joute.core.arrays import index
from joute.core.compiled import kernel
from joute.core.random import below, uniform
from joute.search.fill_paths import LENGTH, mark_cell, record
from joute.search.graph import SLOTS, against, helper

DETOUR = 12  # cells of a detour at most
KINDS = 8  # of so many changes one turns the end, one a part, one is a detour from the end
LEAST = 1e-12  # of a number drawn for the worst change that is accepted


@kernel
def anneal(graph, head, wanted, steps, heat, rng, work):
    """Changes `work.best` in at most `steps` steps, until it has `wanted` moves; `rng` advances.

    At first a change that costs `heat` moves is accepted with a probability of 1 / e, at the end
    none that costs any. `work.taken` is left as it was.
    """
    length = _restore(graph, work, head)
    for step in range(steps):
        kind = below(rng, KINDS)
        if kind == 0:
            _turn_end(graph, work, length, rng)
            continue
        place = length if kind == 2 else below(rng, length + 1)
        if kind == 1:
            _turn_part(graph, work, length, place, rng)
            continue
        cooled = heat * (steps - step) / steps
        cost = int(-cooled * math.log(uniform(rng) + LEAST))
        length = _detour(graph, work, length, place, cost, rng)
        if length > work.best[LENGTH]:
            record(work, length)
            if length >= wanted:
                break
    for place in range(1, length + 1):
        mark_cell(graph, work.taken, int(work.path[index(place)]), 0)


@helper
def _restore(graph, work, head):
    """Makes the best path the one to change; returns its moves."""
    for cell in range(work.position.size):
        work.position[cell] = -1
    work.path[0] = head
    work.position[index(head)] = 0
    length = int(work.best[LENGTH])
    for place in range(1, length + 1):
        _put(graph, work, place, int(work.best[index(place)]))
    return length


@helper
def _put(graph, work, place, cell):
    """Makes a cell the one at a place of the path."""
    work.path[index(place)] = cell
    work.position[index(cell)] = place
    mark_cell(graph, work.taken, cell, 1)


@helper
def _leads(graph, cell, to):
    for direction in range(graph.directions):
        if graph.neighbour[index(SLOTS * cell + direction)] == to:
            return True
    return False


@helper
def _joined(graph, work, cell, rng):
    """The place of a random cell beside this one, if it is in the path; else -1.

    Of a pair, the path comes to the end where it goes on, and back to the one that it enters.
    """
    near = int(graph.neighbour[index(SLOTS * cell + below(rng, graph.directions))])
    return int(work.position[index(against(graph, near))]) if near != 0 else -1


@helper
def _turn_end(graph, work, length, rng):
    """Joins the end to a cell of the path, and turns round the part behind that cell."""
    joined = _joined(graph, work, int(work.path[index(length)]), rng)
    if joined >= 0:
        _turn_round(graph, work, joined + 1, length)


@helper
def _turn_part(graph, work, length, place, rng):
    """Turns round a part that begins after a place, where the path still holds together then."""
    last = _joined(graph, work, int(work.path[index(place)]), rng)
    if last <= place + 1 or last >= length:
        return
    first = against(graph, int(work.path[index(place + 1)]))
    if _leads(graph, first, int(work.path[index(last + 1)])):
        _turn_round(graph, work, place + 1, last)


@helper
def _turn_round(graph, work, first, last):
    """Lets the path pass the cells from one place to another the other way round."""
    path, position = work.path, work.position
    while first <= last:
        one = against(graph, int(path[index(first)]))
        other = against(graph, int(path[index(last)]))
        # Both ends of a pair may stand for it, so its other end leaves the path first.
        position[index(path[index(first)])] = position[index(path[index(last)])] = -1
        path[index(first)], path[index(last)] = other, one
        position[index(other)], position[index(one)] = first, last
        first, last = first + 1, last - 1


@helper
def _detour(graph, work, length, place, cost, rng):
    """Tries a detour that makes the path at most `cost` moves shorter; returns its new length."""
    cell = int(work.path[index(place)])
    walked = 0
    while True:
        onward = 0
        direction = below(rng, graph.directions)
        for _ in range(graph.directions):
            direction = direction - 1 if direction > 0 else graph.directions - 1
            near = int(graph.neighbour[index(SLOTS * cell + direction)])
            if near == 0:
                continue
            if work.taken[index(near)] == 0:
                if onward == 0 or below(rng, 2) == 0:
                    onward = near
                continue
            back = int(work.position[index(near)])
            left_out = back - place - 1
            if left_out >= 0 and left_out + walked > 0 and left_out - walked <= cost:
                return _replace(graph, work, length, place, back, walked)
        if onward == 0 or walked == DETOUR:
            break
        work.options[index(walked)] = onward
        mark_cell(graph, work.taken, onward, 1)
        walked += 1
        cell = onward
    if walked > 0 and length - place - walked <= cost:
        return _replace(graph, work, length, place, length + 1, walked)
    for step in range(walked):
        mark_cell(graph, work.taken, int(work.options[index(step)]), 0)
    return length


@helper
def _replace(graph, work, length, place, back, walked):
    """Puts the detour between two places of the path, for what stood there; returns its length."""
    path, position = work.path, work.position
    for at in range(place + 1, back):
        cell = int(path[index(at)])
        position[index(cell)] = -1
        mark_cell(graph, work.taken, cell, 0)
    longer = walked - (back - place - 1)
    for step in range(length - back + 1 if longer != 0 else 0):
        at = back + step if longer < 0 else length - step
        cell = int(path[index(at)])
        path[index(at + longer)] = cell
        position[index(cell)] = at + longer
    for step in range(walked):
        _put(graph, work, place + 1 + step, int(work.options[index(step)]))
    return length + longer
