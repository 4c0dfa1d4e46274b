"""Which bots can be compared: those joined by results in both directions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from joute.contest.rating.results import EMPTY, Ints, Results


def components(count: int, results: Results, level: bool) -> list[Ints]:
    """The strongly connected groups of the bots 0..count-1, each sorted.

    There is an edge from one bot to another if it finished below it in some game, or if `level`
    games count, level with it.
    Ratings of greatest likelihood are finite within a group and nowhere else: whoever never lost to
    the others, and drew with none, may be stronger by any number (L. Ford, "Solution of a ranking
    problem from binary comparisons", 1957).
    """
    edges = np.zeros((count, count), bool)
    seats = results.bots.shape[1]
    for seat in range(seats):
        for other in range(seats):
            one, another = results.bots[:, seat], results.bots[:, other]
            below = results.ranks[:, seat] >= results.ranks[:, other] + (not level)
            below &= (one != EMPTY) & (another != EMPTY)
            edges[one[below], another[below]] = True
    reached = _closure(edges)
    mutual = reached & reached.T
    return [np.flatnonzero(mutual[bot]) for bot in np.unique(mutual.argmax(axis=1))]


def _closure(edges: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which bot reaches which along edges; each reaches itself."""
    reached = edges | np.eye(len(edges), dtype=bool)
    while True:
        # Paths twice as long each time; as float32 the product is one call of a fast library.
        paths = reached.astype(np.float32)
        further = paths @ paths > 0
        if (further == reached).all():
            return further
        reached = further
