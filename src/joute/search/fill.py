"""The filling search: a path as long as possible through the free cells of a graph.

It alternates between diving for a path that reaches the bound (which lowers the bound where it can
prove that there is none) and polishing the longest path so far.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from joute.games.random import generator
from joute.search import fill_kernels
from joute.search.fill_kernels import LENGTH, NONE
from joute.search.graph import SLOTS, Graph, bound

NODES = 4_000  # of the first dive; each later one may take twice as many
STEPS = 20_000  # of the first polishing, likewise
ROUNDS = 6  # by default
DOUBLED = 6  # how often budgets grow at most: a round stays short beside a limit in seconds


class Filling(NamedTuple):
    """A path, and what is known of the longest one."""

    cells: list[int]  # in the order in which they are entered, the head not among them
    directions: list[int]  # that lead from the head through them
    most: int  # no path has more moves

    @property
    def longest(self) -> bool:
        """Whether it is proved that no path is longer."""
        return len(self.cells) == self.most


class Filler:
    """Fills one graph, from any head and whatever is taken."""

    def __init__(self, graph: Graph, seed: int = 0) -> None:
        self.graph = graph
        self._rng = generator(seed)
        self._work = fill_kernels.work(graph.partner.size)

    def bound(self, taken: np.ndarray, head: int) -> int:
        """The moves that a path from `head` can have at most; `taken` is bool[cells]."""
        self._take(taken, head)
        return int(bound(self.graph, self._work.taken, head, self._work.survey))

    def fill(
        self,
        taken: np.ndarray,
        head: int,
        rounds: int = ROUNDS,
        seconds: float | None = None,
        known: list[int] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> Filling:
        """The longest path that it finds in that many rounds, or in about as many seconds.

        `known` are the cells of a path that was found earlier, to begin with. Without `seconds`
        the result is the same each time for a filler made anew.
        """
        most = self.bound(taken, head)
        work = self._work
        work.best[LENGTH] = 0
        if known:
            work.best[: len(known) + 1] = [len(known), *known]
        begun = clock()
        number = 0
        while work.best[LENGTH] < most:
            if seconds is None and number == rounds:
                break
            if seconds is not None and number and clock() - begun > seconds:
                break
            scale = 1 << min(number, DOUBLED)
            while work.best[LENGTH] < most:
                outcome = fill_kernels.dive(self.graph, head, most, NODES * scale, work)
                if outcome != NONE:
                    break
                most -= 1
            if work.best[LENGTH] < most:
                fill_kernels.polish(self.graph, head, most, STEPS * scale, self._rng, work)
            number += 1
        cells = [int(cell) for cell in work.best[1 : work.best[LENGTH] + 1]]
        return Filling(cells, self._directions(head, cells), most)

    def _take(self, taken: np.ndarray, head: int) -> None:
        self._work.taken[:] = taken
        self._work.taken[head] = 1

    def _directions(self, head: int, cells: list[int]) -> list[int]:
        """The directions of a path that begins at the head."""
        rows = self.graph.neighbour.reshape(-1, SLOTS)
        path = [head, *cells]
        return [rows[cell].tolist().index(to) for cell, to in zip(path[:-1], path[1:], strict=True)]
