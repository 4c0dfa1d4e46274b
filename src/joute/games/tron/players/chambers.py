"""Chambers in Tron: how many cells of its own a bike can fill.

Its cells fall apart into chambers, joined at cells through which every way leads (articulation
points). A bike can go from chamber to chamber but not back, so it fills the best chain of chambers,
and in each at most what its two colours let a path take: one more of the colour it enters on than
of the other.

Articulation points: Hopcroft and Tarjan, "Efficient algorithms for graph manipulation" (1973), in
one depth-first pass; the chain is found on the way back, when a chamber is complete.

The arrays are those of `tron_territory.Territory`.
"""

from joute.core.arrays import index
from joute.core.interface import inline
from joute.games.tron.state import SLOTS

OWNER = 15  # the part of a label that says whose a cell is: a bike's number + 1, or
NOBODY = 15
STEP = 16  # what a step further adds to a label
ONE = 1 << 16  # a cell of colour 1, where cells are counted by colour; of colour 0 it is 1


@inline
def fill_own(territory, game, head, owner):
    """The cells of a bike's best chain of chambers, and the ends of edges between its cells."""
    seen = 1  # the head
    best = 0
    ends = 0
    for direction in range(game.directions):
        first = int(territory.node[index(int(game.neighbour[index(SLOTS * head + direction)]))])
        mine = territory.label[index(first)] & OWNER == owner
        if mine and territory.order[index(first)] == 0:
            seen, more = _explore(territory, first, owner, seen)
            ends += more
            size, chain = int(territory.size[index(first)]), int(territory.chain[index(first)])
            best = max(best, chain + _most(territory, size, head))
    return best, ends


@inline
def _explore(territory, first, owner, seen):
    """Go through a bike's cells from `first`, depth first; `seen` is how many it knows already.

    Returns how many it knows then, and the ends of edges met. `size` and `chain` of `first` are
    then those of the chamber that is entered with it.
    """
    near, label, order = territory.near, territory.label, territory.order
    ends = 0
    cell = first
    above = 0
    lowest, chain, size, at = 0, 0, 0, 0
    entering = True
    while True:
        if entering:
            entering = False
            seen += 1
            order[index(cell)] = seen
            territory.parent[index(cell)] = above
            # A cell next to the head is joined to the first of all.
            lowest = 1 if label[index(cell)] < 2 * STEP else seen
            chain, size = 0, int(territory.unit[index(cell)])
            at = int(territory.begin[index(cell)])
        to = int(near[index(at)])
        at += 1
        if to != 0:
            if label[index(to)] & OWNER == owner:
                ends += 1
                when = int(order[index(to)])
                if when == 0:
                    territory.low[index(cell)] = lowest
                    territory.chain[index(cell)] = chain
                    territory.size[index(cell)] = size
                    territory.resume[index(cell)] = at
                    above, cell = cell, to
                    entering = True
                elif when < lowest:
                    lowest = when
            continue
        above = int(territory.parent[index(cell)])
        if above == 0:
            territory.chain[index(cell)], territory.size[index(cell)] = chain, size
            return seen, ends
        if lowest >= order[index(above)]:  # a chamber, entered from the cell above
            chain += _most(territory, size, above)
            size = 0
        cell = above
        lowest = min(lowest, int(territory.low[index(cell)]))
        chain = max(chain, int(territory.chain[index(cell)]))
        size += int(territory.size[index(cell)])
        at = int(territory.resume[index(cell)])


@inline
def _most(territory, size, entrance):
    """The longest path that two colours allow in a chamber, the entrance itself left out."""
    zeros, ones = size & (ONE - 1), size >> 16
    if not territory.bipartite:
        return zeros + ones
    same, other = (ones, zeros) if territory.unit[index(entrance)] == ONE else (zeros, ones)
    return min(2 * same + 1, 2 * other)
