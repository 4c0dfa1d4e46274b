"""Paths on a graph of cells, each of which can be entered once: how long they can be at most.

The graph is a table of neighbours: from each cell each direction leads to a cell, or to cell 0,
which is closed. A cell may have a partner: entering one end of such a pair puts you on the other,
and takes both, so a pair counts once. The way back along a path passes its pairs the
other way round, hence `against`.

The first bound, `longest`: a path never comes back to a cell, so the blocks (parts without a cut
cell) that it visits form a chain in the tree of blocks and cut cells (Hopcroft and Tarjan, 1973).
In a block of two colours cells of both alternate. The bound is the best chain of the moves that
each block allows.

The second, `most_steps`: a path uses at most two of the steps at a cell, one in and one out, one at
its head, and one at each end of a pair, as it comes to one end and goes on from the other. How many
steps can be chosen so is a matter of matching where the board has two colours, each cell next to
cells of the other one: Kuhn, "The Hungarian method for the assignment problem" (1955), in its
unweighted form. It sees where colours are unevenly spread, which the first sees only in parts that
single cells cut off.
"""

from typing import NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.compiled import kernel
from joute.core.compiling import shared_helper
from joute.core.random import CALLED

SLOTS = 8  # entries of `neighbour` per cell
MOST_DIRECTIONS = 6
UNSEEN = -1  # in Matching: no colour, no source

helper = shared_helper(CALLED)
"""Decorates functions that kernels call. Inlining by force, as in games, takes three times as long
to compile and runs no faster here."""


class Graph(NamedTuple):
    """The cells, and the ways between them."""

    directions: int
    neighbour: np.ndarray  # int16[SLOTS * cells], 0 where closed; cell 0 is no cell
    partner: np.ndarray  # int16[cells], the other end of a pair; 0 for none


class Survey(NamedTuple):
    """The arrays of `longest`, int32[cells] each; a pair's entries are at its lower cell."""

    order: np.ndarray  # when the cell was found, from 1; 0 for one that cannot be reached
    low: np.ndarray  # the earliest cell next to it or to the cells found behind it
    parent: np.ndarray
    slot: np.ndarray  # the next entry of `neighbour` to look at
    depth: np.ndarray  # steps from the head, in the tree of the search
    odd: np.ndarray  # 1 if an edge back from it closes a cycle of odd length
    value: np.ndarray  # the most moves from it into the blocks behind it
    stack: np.ndarray  # a stack of cells whose block is not complete


def survey(cells: int) -> Survey:
    """Arrays for graphs of that many cells."""
    return Survey(*(np.zeros(cells, np.int32) for _ in Survey._fields))


@helper
def against(graph, cell):
    """The cell that stands for this one on the way back."""
    other_end = int(graph.partner[index(cell)])
    return other_end if other_end != 0 else cell


@helper
def lower_end(graph, cell):
    """The lower cell of a pair; any other cell itself."""
    other_end = int(graph.partner[index(cell)])
    return min(cell, other_end) if other_end != 0 else cell


@helper
def longest(graph, taken, head, work):
    """A bound on the moves of any path from `head` through cells that are not `taken`.

    `taken` (uint8[cells]) holds the head, and of each pair both ends or none. Afterwards
    `work.order` is 0 exactly at the cells that no path can reach.
    """
    order, low, parent, slot = work.order, work.low, work.parent, work.slot
    depth, value, stack = work.depth, work.value, work.stack
    for cell in range(order.size):
        order[cell] = 0
    behind = against(graph, head)  # the neighbour of the cells next to the head
    count = 0
    clock = 1
    cell = head
    order[index(head)] = low[index(head)] = 1
    slot[index(head)] = depth[index(head)] = value[index(head)] = 0
    while True:
        here = index(cell)
        entry = int(slot[here])
        side = cell
        if entry >= graph.directions:
            side = int(graph.partner[here]) if cell != head else 0
            entry -= graph.directions
            if side == 0 or entry == graph.directions:
                if cell == head:
                    return int(value[here])
                above = int(parent[here])
                low[index(above)] = min(low[index(above)], low[here])
                if low[here] >= order[index(above)]:
                    count = _close(work, cell, above, count)
                cell = above
                continue
        slot[here] += 1
        near = int(graph.neighbour[index(SLOTS * side + entry)])
        if near == behind:
            near = head
        elif near == 0 or taken[index(near)]:
            continue
        else:
            near = lower_end(graph, near)
        there = index(near)
        if order[there] == 0:
            clock += 1
            order[there] = low[there] = clock
            parent[there] = cell
            depth[there] = depth[here] + 1
            slot[there] = value[there] = work.odd[there] = 0
            stack[index(count)] = near
            count += 1
            cell = near
        elif near != parent[here]:
            low[here] = min(low[here], order[there])
            if order[there] < order[here] and (depth[there] ^ depth[here]) & 1 == 0:
                work.odd[here] = 1


@helper
def _close(work, last, above, count):
    """Takes a block off the stack: the cells from `last` on, entered from `above`.

    Notes at `above` how many moves lead into it and on; returns how many cells are stack.
    """
    parity = work.depth[index(above)]
    same = other = odd = 0
    first = count
    cell = 0
    while cell != last:
        first -= 1
        cell = int(work.stack[index(first)])
        odd |= work.odd[index(cell)]
        if (work.depth[index(cell)] ^ parity) & 1:
            other += 1
        else:
            same += 1
    best = same + other
    if not odd:
        best = 2 * other if same >= other else 2 * same + 1
    for place in range(first, count):
        cell = int(work.stack[index(place)])
        beyond = int(work.value[index(cell)])
        if beyond > 0:
            moves = same + other
            if not odd:
                if (work.depth[index(cell)] ^ parity) & 1:
                    moves = 2 * min(same, other - 1) + 1
                else:
                    moves = 2 * min(same, other)
            best = max(best, moves + beyond)
    work.value[index(above)] = max(work.value[index(above)], best)
    return first


@kernel
def bound(graph, taken, head, work):
    """As `longest`, for callers outside of kernels."""
    return longest(graph, taken, head, work)


class Matching(NamedTuple):
    """The arrays of `most_steps`, int32[cells] each but for the first."""

    chosen: np.ndarray  # uint8[SLOTS * cells], steps from cells of colour 0 that are chosen
    colour: np.ndarray  # 0 or 1; UNSEEN for taken cells
    room: np.ndarray  # how many more steps a cell can have
    queue: np.ndarray
    source: np.ndarray  # the entry of `chosen` that led to a cell; UNSEEN: none yet


def matching(cells: int) -> Matching:
    """Arrays for graphs of that many cells."""
    columns = [np.zeros(cells, np.int32) for _ in Matching._fields[1:]]
    return Matching(np.zeros(SLOTS * cells, np.uint8), *columns)


@kernel
def most_steps(graph, taken, head, work):
    """No path from `head` through cells that are not `taken` has more moves.

    `taken` (uint8[cells]) holds the head, and of each pair both ends or none. The number of cells
    where the board does not have two colours.
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
    """Gives the free cells and the head two colours; returns whether neighbours differ."""
    colour, queue = work.colour, work.queue
    for cell in range(taken.size):
        colour[cell] = UNSEEN
    for first in range(1, taken.size):
        if colour[first] != UNSEEN or (taken[first] and first != head):
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
                if colour[index(to)] == UNSEEN:
                    colour[index(to)] = 1 - colour[index(cell)]
                    queue[index(found)] = to
                    found += 1
                elif colour[index(to)] == colour[index(cell)]:
                    return False
    return True


@helper
def _augment(graph, first, work):
    """Chooses one step more, from `first` of colour 0, if it can; other steps may change."""
    chosen, colour, queue, source = work.chosen, work.colour, work.queue, work.source
    for cell in range(source.size):
        source[cell] = UNSEEN
    queue[0] = first
    done, found = 0, 1
    while done < found:
        cell = int(queue[index(done)])
        done += 1
        for direction in range(graph.directions):
            to = _beside(graph, cell, direction)
            if to == 0 or colour[index(to)] == UNSEEN or source[index(to)] != UNSEEN or to == first:
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
    """Swaps chosen and other steps on the way from `first` to `last`."""
    cell = last
    while cell != first:
        entry = int(work.source[index(cell)])
        work.chosen[index(entry)] = 1 - work.chosen[index(entry)]
        start = entry // SLOTS
        cell = start if cell != start else _beside(graph, start, entry % SLOTS)
