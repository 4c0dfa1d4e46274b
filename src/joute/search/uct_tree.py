"""The tree of UCT: what is known of each action and outcome, in arrays instead of nodes."""

from typing import NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.interface import CHANCE, chances, inline, legal, promise
from joute.search.simulation import USED

ACTION, VISITS, FIRST, CHILDREN = 0, 1, 2, 3  # columns of Tree.places


class Tree(NamedTuple):
    """A place for each action or outcome that is known; those of one state stand together.

    Place 0 stands for the root. Of a player's actions those that were tried come first.
    """

    places: np.ndarray  # int32[size, 4]: the action, its visits, where those after it begin, how
    # many they are (0 while they are unknown)
    sums: np.ndarray  # float64[size], of what its player got; of an outcome 0
    priors: np.ndarray  # float32[size], its part of the promises of its state, with PUCT


def tree(size_log2: int) -> Tree:
    """An empty tree of 2^size_log2 places of 28 bytes."""
    size = 1 << size_log2
    # Filled, not only asked for: memory first touched in a search costs much of its first 0.1 s.
    return Tree(np.full((size, 4), 0, np.int32), np.full(size, 0.0), np.full(size, 0.0, np.float32))


@inline
def grow(game, place, player, informed, work, tree):
    """Give all that can follow a state places of their own; whether there was room."""
    state, actions, first = work.state, work.actions, work.control[USED]
    if player == CHANCE:
        count = chances(game, state, actions, work.weights)
    else:
        count = legal(game, state, actions)
    if first + count > tree.places.shape[0]:
        return 0
    weighed = informed and player != CHANCE
    total = 0.0
    for each in range(count):
        at, action = index(first + each), int(actions[index(each)])
        new = tree.places[at]
        new[ACTION], new[VISITS], new[CHILDREN] = action, 0, 0
        tree.sums[at] = 0.0
        if weighed:
            tree.priors[at] = 1.0 + promise(game, state, action)
            total += tree.priors[at]
    if weighed:
        for each in range(count):
            tree.priors[index(first + each)] /= total
    here = tree.places[index(place)]
    here[FIRST], here[CHILDREN] = first, count
    work.control[USED] = first + count
    return 1


@inline
def place_of(place, action, tree):
    """The place of an outcome that can follow a place; they stand there in ascending order."""
    places = tree.places
    low = places[index(place), FIRST]
    high = low + places[index(place), CHILDREN] - 1
    while low < high:
        middle = (low + high) >> 1
        if places[index(middle), ACTION] < action:
            low = middle + 1
        else:
            high = middle
    return low
