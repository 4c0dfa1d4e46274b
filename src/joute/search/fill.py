"""The filling search: a path as long as possible through the free cells of a graph.

It begins with the path that it is given, or with a greedy one, and dives once for a path that
reaches the bound. Then it takes turns, and always keeps the longest path: that is annealed; its end
is cut off and dived for anew, or it is cut anywhere and goes on greedily; and now and then a longer
dive tries to reach the bound, which it lowers where it can prove that no path does.
"""

import time
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from joute.core.random import below, generator
from joute.search.fill_anneal import anneal
from joute.search.fill_bound import steps, steps_bound
from joute.search.fill_paths import FOUND, LENGTH, NONE, dive, fill_work, follow_bound
from joute.search.graph import SLOTS, Graph, bound

ROUNDS = 16  # by default: some tenths of a second where the bound is not reached
NODES = 1_000  # of a dive, and as many more as a path can have moves
STEPS = 300  # of an annealing, for each move that a path can have
HEATS = (0.7, 1.0, 1.5, 2.2)  # moves: of one annealing after the other
CELL_SECONDS = 15e-9  # that a node of a dive may take for each cell of the graph
STEP_SECONDS = 100e-9  # that a step of an annealing may take
GREEDY_SHARE = 0.5  # of the time that there is
REGROW = 3  # one round in so many cuts the path anywhere, the others near its end
LONG = 16  # rounds from one long dive to the next, after the first; it has so many times the nodes
INFINITY = float("inf")
NEAR = 60  # moves


class Filling(NamedTuple):
    """A path, and a bound of the longest one."""

    cells: list[int]  # in the order in which they are entered, the head not among them
    directions: list[int]  # that lead from the head through them
    most: int  # no path has more moves

    @property
    def longest(self) -> bool:
        """Whether it is proved that no path is longer."""
        return len(self.cells) == self.most


class Filler:
    """Fills one graph, from any head, whichever cells are taken."""

    def __init__(self, graph: Graph, seed: int = 0) -> None:
        self.graph = graph
        self._rows: list[list[int]] = graph.neighbour.reshape(-1, SLOTS).tolist()
        self._rng = generator(seed)
        self._work = fill_work(graph.partner.size)
        self._steps = steps(graph.partner.size)
        self._head = 0
        self._most = 0
        self._nodes = NODES
        self._number = 0  # of the last round, since a path was begun
        self._clock: Callable[[], float] = time.thread_time
        self._stop = INFINITY  # by the clock
        self._node_seconds = CELL_SECONDS * graph.partner.size

    def warm(self, head: int) -> None:
        """Compiles the kernels, when no clock runs."""
        self.bound(np.zeros(self.graph.partner.size, np.uint8), head)
        self._dive(1, 1, True)
        self._go_on_greedily(1)
        self._keep([])
        self._anneal(1.0)
        self._keep([])

    def bound(self, taken: np.ndarray, head: int) -> int:
        """The moves that a path from `head` can have at most; `taken` is bool[cells].

        Of a pair both ends are taken, or none.
        """
        self._place(taken, head)
        return self._bound()

    def bound_by_parts(self, taken: np.ndarray, head: int) -> int:
        """As `bound`, by the parts without a way back and the colours of their cells alone."""
        self._place(taken, head)
        return int(bound(self.graph, self._work.taken, head, self._work.survey))

    def reachable(self, taken: np.ndarray, head: int) -> list[int]:
        """The cells that some path from `head` may enter, both ends of a pair among them."""
        self.bound(taken, head)
        partner = self.graph.partner
        cells = np.arange(partner.size)
        lower = np.where(partner > 0, np.minimum(cells, partner), cells)
        found = (self._work.survey.order[lower] > 0) & (self._work.taken == 0)
        found[0] = False
        return [int(cell) for cell in np.flatnonzero(found)]

    def greedy(self, taken: np.ndarray, head: int) -> Filling:
        """The path that `fill` begins with where it is in no hurry."""
        return self.fill(taken, head, enough=0)

    def fill(
        self,
        taken: np.ndarray,
        head: int,
        rounds: int = ROUNDS,
        seconds: float | None = None,
        known: list[int] | None = None,
        most: int | None = None,
        enough: int | None = None,
        clock: Callable[[], float] = time.thread_time,
    ) -> Filling:
        """The longest path that it finds in that many rounds, or in about as many seconds.

        `taken` is as in `bound`. `known` are the cells of a path that was found earlier, to begin
        with, and `most` the moves that a path can have at most; a path of `enough` moves ends the
        search. Without `seconds` a filler made anew finds the same each time.
        """
        self._clock = clock
        self._stop = INFINITY if seconds is None else clock() + seconds
        self._place(taken, head)
        self._most = self._bound() if most is None else most
        self._nodes = NODES + self._most
        self._keep(known or [])
        wanted = self._most if enough is None else enough
        if not known:
            self._number = 0
            self._begin(wanted)
        last = self._number + rounds
        while self._length() < min(wanted, self._most):
            if self._late() or (seconds is None and self._number == last):
                break
            self._number += 1
            self._round(self._number)
        cells = self._path()
        return Filling(cells, self._directions(cells), self._most)

    def _place(self, taken: np.ndarray, head: int) -> None:
        self._head = head
        self._work.taken[:] = taken
        self._work.taken[head] = 1

    def _bound(self) -> int:
        work = self._work
        return int(steps_bound(self.graph, work.taken, self._head, work.survey, self._steps))

    def _late(self) -> bool:
        return self._stop < INFINITY and self._clock() > self._stop

    def _allowed(self, units: int, each: float) -> int:
        """So many units of work of `each` seconds, or as many as there is time for."""
        if self._stop == INFINITY:
            return units
        return max(min(units, int((self._stop - self._clock()) / each)), 1)

    def _begin(self, wanted: int) -> None:
        """Goes a greedy path, and dives for one that reaches the bound."""
        self._go_on_greedily(self._looks(GREEDY_SHARE))
        if self._length() < wanted and not self._late():
            self._dive(self._most, self._nodes, False)

    def _round(self, number: int) -> None:
        self._anneal(HEATS[number % len(HEATS)])
        if number & (number - 1) == 0 or number % LONG == 0:
            while self._length() < self._most and not self._late():
                if self._dive(self._most, self._nodes * min(number, LONG), False) != NONE:
                    break
        if self._length() < self._most and not self._late():
            if number % REGROW == 0:
                self._regrow()
            else:
                self._redo_end()

    def _looks(self, share: float) -> int:
        """The bounds of cells that a greedy path may ask for in a share of the time."""
        if self._stop == INFINITY:
            return SLOTS * self.graph.partner.size
        return max(int(share * (self._stop - self._clock()) / self._node_seconds), 0)

    def _regrow(self) -> None:
        """Cuts the path off at a random place, and lets it go on greedily."""
        before = self._path()
        kept = before[: below(self._rng, len(before))]
        taken, head = self._cut(kept)
        self._go_on_greedily(self._looks(GREEDY_SHARE))
        self._join(kept, taken, head)
        self._anneal(HEATS[0])
        if self._length() < len(before):
            self._keep(before)

    def _redo_end(self) -> None:
        """Cuts the path off near its end, and dives from there for no shorter an end."""
        before = self._path()
        kept = before[: len(before) - 1 - below(self._rng, min(len(before), NEAR))]
        most = self._most
        taken, head = self._cut(kept)
        wanted = len(before) - len(kept) + below(self._rng, 2)
        found = self._dive(wanted, self._nodes, True) == FOUND
        self._most = most  # of the whole path again
        self._join(kept, taken, head)
        if not found:
            self._keep(before)

    def _cut(self, kept: list[int]) -> tuple[np.ndarray, int]:
        """Begins a new path behind these cells; returns the taken cells and the head before."""
        taken, head = self._work.taken.copy(), self._head
        self._work.taken[kept] = 1
        self._work.taken[self.graph.partner[kept]] = 1  # cell 0, without a pair, is no cell
        self._head = kept[-1] if kept else head
        self._keep([])
        return taken, head

    def _join(self, kept: list[int], taken: np.ndarray, head: int) -> None:
        """Puts the path behind these cells again, and what they changed as it was."""
        end = self._path()
        self._work.taken[:] = taken
        self._head = head
        self._keep(kept + end)

    # The kernels' path.

    def _dive(self, wanted: int, nodes: int, mixed: bool) -> int:
        """The outcome of a dive; the bound is lowered where it proves something."""
        nodes = self._allowed(nodes, self._node_seconds)
        outcome = dive(self.graph, self._head, wanted, nodes, mixed, self._rng, self._work)
        if outcome == NONE:
            self._most = min(self._most, wanted - 1)
        return int(outcome)

    def _go_on_greedily(self, looks: int) -> None:
        follow_bound(self.graph, self._head, looks, self._rng, self._work)

    def _anneal(self, heat: float) -> None:
        moves = self._allowed(STEPS * (self._most + 1), STEP_SECONDS)
        anneal(self.graph, self._head, self._most, moves, heat, self._rng, self._work)

    def _length(self) -> int:
        return int(self._work.best[LENGTH])

    def _path(self) -> list[int]:
        cells: list[int] = self._work.best[1 : self._length() + 1].tolist()
        return cells

    def _keep(self, cells: list[int]) -> None:
        """Makes these the longest path so far."""
        self._work.best[: len(cells) + 1] = [len(cells), *cells]

    def _directions(self, cells: list[int]) -> list[int]:
        """The directions that lead from the head through the cells of a path."""
        return [self._rows[cell].index(to) for cell, to in pairwise([self._head, *cells])]
