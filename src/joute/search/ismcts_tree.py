"""What information-set searches remember: statistics of actions, by a hash of what was seen.

There are no nodes and no pointers. An observer's *history* is a hash of all that he has seen since
the root, and an *edge* is a history, a player to move and what the observer sees of his action:
one place of an open-addressed table. Two edges of one hash are taken for each other, which among
2^20 of them happens with probability 2^-23, and is accepted.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import int64, uint64
from numba.extending import overload

from joute.core.arrays import index
from joute.core.interface import inline
from joute.core.random import INLINE

SUM, VISITS, AVAILABLE, LAST = 0, 1, 2, 3  # columns of Tree.edges
ROOT = 1  # the history of an observer who has seen nothing since the root
_MASK = (1 << 64) - 1
_FACTOR = 0x9E3779B97F4A7C15  # 2^64 / golden ratio


class Tree(NamedTuple):
    """Edges by hash. Both arrays have 2^k places."""

    keys: np.ndarray  # int64, the whole hash; 0 where there is no edge
    edges: np.ndarray  # float64[4]: sum of the returns of its player, visits, simulations in which
    # the action was available, the last of them


def tree(size_log2: int) -> Tree:
    """An empty tree of 2^size_log2 places of 40 bytes."""
    size = 1 << size_log2
    # Filled, not only asked for: memory first touched in a search costs half of its first 0.1 s.
    return Tree(np.full(size, 0, np.int64), np.full((size, 4), 0.0))


def follow(history: int, sight: int) -> int:
    """The history after `sight` (an int from 0), in 1..2^63 - 1."""
    found = ((history ^ sight) * _FACTOR) & _MASK
    return ((found ^ (found >> 32)) >> 1) | 1


@overload(follow, jit_options=INLINE)
def _compiled_follow(history, sight):
    def compiled(history, sight):
        found = uint64(int64(history) ^ int64(sight)) * uint64(_FACTOR)
        return int64((found ^ (found >> uint64(32))) >> uint64(1)) | 1

    return compiled


@inline
def place_of(tree: Any, key: int) -> int:
    """Where the edge of this key is, or the free place where it would be."""
    keys = tree.keys
    last = keys.size - 1
    place = (key >> 1) & last  # the lowest bit of a key is always 1
    while keys[index(place)] != key and keys[index(place)] != 0:
        place = (place + 1) & last
    return place


@inline
def room(tree: Any) -> int:
    """How many edges it takes before it stops growing: a fuller table is slow to look into."""
    return tree.keys.size * 3 // 4


@inline
def grow(tree: Any, place: int, key: int, simulation: int) -> None:
    """Make an edge at a free place, for an action that is available in this simulation."""
    tree.keys[index(place)] = key
    edge = tree.edges[index(place)]
    edge[SUM] = edge[VISITS] = 0.0
    edge[AVAILABLE], edge[LAST] = 1.0, simulation
