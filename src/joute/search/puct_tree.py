"""The tree of PUCT, and what is kept of it from turn to turn."""

import math
from typing import NamedTuple

import numpy as np

from joute.core.arrays import copy, index
from joute.core.compiled import is_interpreting
from joute.core.interface import inline
from joute.search.montecarlo import USED

SURE = 1e12  # more than any number of visits

ACTION, VISITS, FIRST, CHILDREN, LEGAL, PROVEN = range(6)  # columns of PuctTree.places


class PuctTree(NamedTuple):
    """A place for each action that is known; those of one state stand together, best prior first.

    Place 0 stands for the root. Of a state's actions those that were tried come first.
    """

    places: np.ndarray  # int32[size, 6]: the action, its visits, where those after it begin, how
    # many are known of them (0: not looked at), how many there are, is the value proven
    values: np.ndarray  # float64[size], for its player: the mean, or the proven return; the root
    # has none
    priors: np.ndarray  # float32[size], its part of the weights of its state


def puct_tree(size_log2: int) -> PuctTree:
    """An empty tree of 2^size_log2 places of 36 bytes."""
    size = 1 << size_log2
    tree = PuctTree(np.zeros((size, 6), np.int32), np.zeros(size), np.zeros(size, np.float32))
    if not is_interpreting():  # else it is searched no more than once
        for each in tree:
            # Memory first touched in a search costs much of its first 0.1 s.
            each[...] = 0
    return tree


@inline
def forget(work, tree):
    """Makes the tree one of the root alone."""
    work.control[:] = 0
    work.control[USED] = 1
    tree.places[0] = 0
    tree.places[0, VISITS] = 1


@inline
def best_child(place, highest, tree):
    """The place of a state's best action: one proven to win, else the one visited most.

    One that is proven to lose is the last choice; where the state's value is proven, that of the
    highest value is the first. The state's actions must have places.
    """
    here = tree.places[index(place)]
    best, highest_rank = here[FIRST], -math.inf
    for child in range(here[FIRST], here[FIRST] + here[CHILDREN]):
        rank = float(tree.places[index(child), VISITS])
        if tree.places[index(child), PROVEN]:
            value = float(tree.values[index(child)])  # plain Python cannot subtract bool_
            if here[PROVEN]:
                rank += SURE * value
            else:
                rank += SURE * ((value >= highest) - (value <= -highest))
        if rank > highest_rank:
            best, highest_rank = child, rank
    return best


@inline
def keep(tree, place, spare):
    """Copies what is below a place to `spare`, whose root it becomes; how many places it takes.

    Breadth first: Cheney, "A nonrecursive list compacting algorithm" (1970).
    """
    copy(spare.places[0], tree.places[place])
    spare.values[0] = tree.values[place]
    used, at = 1, 0
    while at < used:
        here = spare.places[index(at)]
        first = here[FIRST]
        here[FIRST] = used
        for child in range(first, first + here[CHILDREN]):
            copy(spare.places[index(used)], tree.places[index(child)])
            spare.values[index(used)] = tree.values[index(child)]
            spare.priors[index(used)] = tree.priors[index(child)]
            used += 1
        at += 1
    spare.places[0, VISITS] = max(spare.places[0, VISITS], 1)
    return used


def keep_level_by_level(tree: PuctTree, place: int, spare: PuctTree) -> int:
    """As `keep`, whole levels of the tree at once: a bot that begins need not wait for a kernel."""
    level, begins, used = np.array([place]), 0, 1
    while level.size:
        ends = begins + level.size
        for whole, part in zip(tree, spare, strict=True):
            # All places exist; were they checked, NumPy would write to a copy of `out` first.
            np.take(whole, level, axis=0, out=part[begins:ends], mode="clip")
        firsts, counts = spare.places[begins:ends, FIRST], spare.places[begins:ends, CHILDREN]
        before = np.cumsum(counts) - counts  # children of those that stand before it
        level = np.repeat(firsts - before, counts) + np.arange(counts.sum())
        firsts[:] = used + before
        begins, used = ends, used + level.size
    spare.places[0, VISITS] = max(spare.places[0, VISITS], 1)
    return used
