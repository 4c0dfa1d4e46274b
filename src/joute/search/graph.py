"""Paths on a graph of cells, each of which can be entered once: how long they can be at most.

The graph is a table of neighbours: from each cell each direction leads to a cell, or to cell 0,
which is closed. A cell may have a partner: entering one end of such a pair puts you on the other,
and takes both, so a pair counts once. The way back along a path passes its pairs the
other way round, hence `against`.

A bound, `longest`: a path never comes back to a cell, so the blocks (parts without a cut cell) that
it visits form a chain in the tree of blocks and cut cells (Hopcroft and Tarjan, 1973). In a block
of two colours cells of both alternate. The bound is the best chain of the moves that each block
allows. That of `fill_bound` is lower and takes longer.
"""

from typing import NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.compiled import kernel
from joute.core.compiling import shared_helper
from joute.core.random import CALLED

SLOTS = 8  # entries of `neighbour` per cell
MOST_DIRECTIONS = 6

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
