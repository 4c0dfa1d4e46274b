"""The moves that a bike which no other can meet can make, by a search among its paths.

Territory reckons them from above: no path through its cells has more. The search goes through paths
in depth, the neighbour with the fewest ways on first (Warnsdorff, 1823), and proves the reckoning
right where it finds a path as long, or finds the most where it comes to its end. Else the reckoning
counts, less SHORT moves at most: a quick search misses more than it does.
"""

from typing import Any

import numpy as np

from joute.core.arrays import index
from joute.core.compiling import shared_helper
from joute.core.random import CALLED
from joute.games.tron.arena import HEAD

OWNER = 15  # the part of a label that says whose a cell is
SHORT = 2  # moves
CLOSE = 3.0  # cells: a search decides between two fillings that are so close

helper = shared_helper(CALLED)
"""Decorates functions that kernels call. They are long, and seldom called."""


@helper
def walk_both(territory: Any, game: Any, state: np.ndarray, sums: np.ndarray, unit: float) -> None:
    """Puts the moves found for those reckoned in `sums`, in a unit of its own, if two are close.

    Afterwards the labels of the cells are spent.
    """
    if sums[0] == sums[1] or abs(sums[0] - sums[1]) > CLOSE * unit:
        return
    for bike in range(2):
        side = index(int(game.team[bike]))
        head = int(state[index(HEAD + bike)])
        reckoned = int(sums[side] / unit)
        sums[side] = unit * walk(territory, game, head, bike + 1, reckoned)


@helper
def walk(territory: Any, game: Any, head: int, owner: int, reckoned: int) -> int:
    """The moves of the longest path, as far as it is found; `reckoned` from one end of a pair."""
    if game.partner[index(head)] != 0:  # it has not the neighbours of both
        return reckoned
    label, near = territory.label, territory.near
    path, tried = territory.order, territory.low  # by depth; of the tried ways a bit each
    depth = best = 0
    left = reckoned + territory.walk
    path[0] = head
    tried[0] = 0
    while best < reckoned and left > 0:
        cell = int(path[index(depth)])
        at = int(territory.begin[index(cell)])
        chosen, fewest, way = 0, near.size, 0
        to = int(near[index(at)])
        while to != 0:
            if label[index(to)] & OWNER == owner and tried[index(depth)] >> way & 1 == 0:
                ways = _ways(territory, to, owner)
                if ways < fewest:
                    chosen, fewest = way, ways
            way += 1
            to = int(near[index(at + way)])
        if fewest == near.size:
            if depth == 0:
                return best
            label[index(cell)] ^= OWNER
            depth -= 1
            continue
        tried[index(depth)] |= 1 << chosen
        to = int(near[index(at + chosen)])
        label[index(to)] ^= OWNER  # nobody's while the path is there
        depth += 1
        path[index(depth)] = to
        tried[index(depth)] = 0
        left -= 1
        best = max(best, depth)
    return max(best, reckoned - SHORT)


@helper
def _ways(territory: Any, cell: int, owner: int) -> int:
    """The number of a bike's cells beside a cell."""
    count = 0
    at = int(territory.begin[index(cell)])
    to = int(territory.near[index(at)])
    while to != 0:
        count += int(territory.label[index(to)] & OWNER == owner)
        at += 1
        to = int(territory.near[index(at)])
    return count
