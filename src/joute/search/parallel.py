"""Root-parallel search: several Monte Carlo searches of one state, each in a thread of its own.

Chaslot, Winands and van den Herik, "Parallel Monte-Carlo tree search" (2008). Every thread has a
tree and a generator of its own and knows nothing of the others; in the end their visits and returns
are summed. Kernels let go of Python's lock, so that as many run as there are cores.

What is found depends on the seed, the threads and the simulations alone. Two threads of so many
simulations find less than one of twice as many, whose tree is deeper, but in half the time.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from joute.i18n.words import Sentence
from joute.search.found import Found

MOST_THREADS = 256
_MASK = (1 << 64) - 1
_APART = 0xD1342543DE82EF95  # keeps the seeds of threads apart


class Search(Protocol):
    """What a tree search can do."""

    def search(
        self, state: Any, simulations: int | None = None, seconds: float | None = None
    ) -> Found:
        """Weigh the legal actions by so many simulations, or as many as CPU `seconds` allow."""


class RootParallel:
    """Searches that are asked together; see the module."""

    def __init__(self, searches: list[Search]) -> None:
        self._searches = searches

    def search(
        self, state: Any, simulations: int | None = None, seconds: float | None = None
    ) -> Found:
        """What all find by so many simulations in all, or as many as `seconds` of each allow.

        Raises ValueError as they do.
        """
        if simulations is None:
            shares: list[int | None] = [None] * len(self._searches)
        else:
            shares = list(_shares(simulations, len(self._searches)))
        with ThreadPoolExecutor(len(shares)) as pool:
            found = list(
                pool.map(
                    lambda search, share: search.search(state, share, seconds),
                    self._searches[: len(shares)],
                    shares,
                )
            )
        return merged(found)


def parallel(make: Callable[[int], Search], seed: int, threads: int) -> Search:
    """The search that `make` makes of a seed; of several threads, as many of them asked together.

    Raises ValueError for a number of threads out of range.
    """
    if not 1 <= threads <= MOST_THREADS:
        bounds = {"lowest": 1, "highest": MOST_THREADS, "value": threads}
        raise ValueError(Sentence("error.range", name="threads", **bounds))
    if threads == 1:
        return make(seed)
    return RootParallel([make((seed + each * _APART) & _MASK) for each in range(threads)])


def merged(found: list[Found]) -> Found:
    """What searches of one state found together: sums of visits, means of all their returns."""
    actions = found[0].actions
    visits = [sum(each.visits[rank] for each in found) for rank in range(len(actions))]
    values = [
        sum(each.visits[rank] * each.values[rank] for each in found) / max(visits[rank], 1)
        for rank in range(len(actions))
    ]
    return Found(actions, visits, values, sum(each.simulations for each in found))


def _shares(simulations: int, threads: int) -> list[int]:
    """Simulations for each thread, at least one; of so few, for fewer threads."""
    threads = max(1, min(threads, simulations))
    each, more = divmod(simulations, threads)
    return [each + (rank < more) for rank in range(threads)]
