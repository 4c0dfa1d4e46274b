"""The filling search: a path as long as possible through the free cells of a graph.

It first dives for a path that reaches the bound, then for one that falls short of it by 1, 2, 4 ...
moves. If none reaches it, it looks for a lower bound (`graph.most_steps`). Then it takes turns: the
longest path so far is polished; its end is cut off and dived for anew, or a path is begun afresh;
and now and then a longer dive tries to reach the bound, which it lowers where it can prove that no
path does.
"""

import time
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from joute.core.random import below, generator
from joute.search.fill_paths import FOUND, LENGTH, NONE, UNDECIDED, dive, fill_work, polish
from joute.search.graph import SLOTS, Graph, bound, matching, most_steps

ROUNDS = 64  # by default: some tenths of a second where the bound is not reached
NODES = 1_000  # of a dive, and as many more as a path can have moves
STEPS = 50_000  # of a polishing: it costs less than a dive
CELL_SECONDS = 30e-9  # that a node of a dive may take for each cell of the graph
STEP_SECONDS = 200e-9  # that a step of a polishing may take
FRESH = 4  # one round in so many begins a path afresh
INFINITY = float("inf")
NEAR = 60  # moves: half of the cuts are that near the end
SHORT = 4  # moves: a fresh path may be that much shorter than the longest before it is polished


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
        self._rng = generator(seed)
        self._work = fill_work(graph.partner.size)
        self._matching = matching(graph.partner.size)
        self._head = 0
        self._most = 0
        self._nodes = NODES
        self._clock: Callable[[], float] = time.thread_time
        self._stop = INFINITY  # by the clock
        self._node_seconds = CELL_SECONDS * graph.partner.size

    def warm(self, head: int) -> None:
        """Compiles the kernels, when no clock runs."""
        self.bound(np.zeros(self.graph.partner.size, np.uint8), head)
        self._most_steps()
        self._dive(1, 1, True)
        self._polish()
        self._keep([])

    def bound(self, taken: np.ndarray, head: int) -> int:
        """The moves that a path from `head` can have at most; `taken` is bool[cells].

        Of a pair both ends are taken, or none.
        """
        self._head = head
        return min(self._by_blocks(taken), self._most_steps())

    def bound_by_parts(self, taken: np.ndarray, head: int) -> int:
        """As `bound`, by the parts without a way back and the colours of their cells alone."""
        self._head = head
        return self._by_blocks(taken)

    def reachable(self, taken: np.ndarray, head: int) -> list[int]:
        """The cells that some path from `head` may enter, both ends of a pair among them."""
        self._head = head
        self._by_blocks(taken)
        partner = self.graph.partner
        cells = np.arange(partner.size)
        lower = np.where(partner > 0, np.minimum(cells, partner), cells)
        found = (self._work.survey.order[lower] > 0) & (self._work.taken == 0)
        found[0] = False
        return [int(cell) for cell in np.flatnonzero(found)]

    def fill(
        self,
        taken: np.ndarray,
        head: int,
        rounds: int = ROUNDS,
        seconds: float | None = None,
        known: list[int] | None = None,
        enough: int | None = None,
        clock: Callable[[], float] = time.thread_time,
    ) -> Filling:
        """The longest path that it finds in that many rounds, or in about as many seconds.

        `taken` is as in `bound`. `known` are the cells of a path that was found earlier, to begin
        with; a path of `enough` moves ends the search. Without `seconds` a filler made anew finds
        the same each time.
        """
        self._clock = clock
        self._stop = INFINITY if seconds is None else clock() + seconds
        self._head = head
        self._most = self._by_blocks(taken)
        self._nodes = NODES + self._most
        self._keep(known or [])
        wanted = self._most if enough is None else enough
        if self._length() < wanted:
            self._begin()
        if self._length() < wanted and not self._late():
            self._most = min(self._most, self._most_steps())
        number = 0
        while self._length() < min(wanted, self._most):
            number += 1
            if self._late() or (seconds is None and number > rounds):
                break
            self._round(number)
        cells = self._path()
        return Filling(cells, self._directions(cells), self._most)

    def _by_blocks(self, taken: np.ndarray) -> int:
        self._work.taken[:] = taken
        self._work.taken[self._head] = 1
        return int(bound(self.graph, self._work.taken, self._head, self._work.survey))

    def _most_steps(self) -> int:
        self._work.taken[self._head] = 1
        return int(most_steps(self.graph, self._work.taken, self._head, self._matching))

    def _late(self) -> bool:
        return self._stop < INFINITY and self._clock() > self._stop

    def _allowed(self, units: int, each: float) -> int:
        """So many units of work of `each` seconds, or as many as there is time for.

        A path's length in any case: a dive needs that many to come to an end at all.
        """
        if self._stop == INFINITY:
            return units
        return max(min(units, int((self._stop - self._clock()) / each)), self._most + 1)

    def _begin(self) -> None:
        """Dives for a path, of less and less moves until there is one, or until it is late."""
        gap = 0
        while self._length() < self._most - gap:
            if self._dive(self._most - gap, self._nodes, gap > 0) == UNDECIDED:
                if self._late() and self._length() > 0:
                    break
                gap = min(2 * gap or 1, self._most - 1)

    def _round(self, number: int) -> None:
        self._polish()
        if number & (number - 1) == 0:
            while self._length() < self._most:
                if self._dive(self._most, self._nodes * number, False) != NONE:
                    break
        if self._length() < self._most:
            if number % FRESH == 0:
                self._begin_afresh()
            else:
                self._redo_end()

    def _begin_afresh(self) -> None:
        before = self._path()
        self._keep([])
        gap = self._most - len(before) + SHORT
        self._dive(max(self._most - below(self._rng, gap), 1), self._nodes, True)
        self._polish()
        if self._length() < len(before):
            self._keep(before)

    def _redo_end(self) -> None:
        """Cuts the path off at a random place, and dives from there for no shorter an end."""
        before = self._path()
        if not before:
            return
        reach = min(len(before), NEAR) if below(self._rng, 2) else len(before)
        kept = before[: len(before) - 1 - below(self._rng, reach)]
        head, most, taken = self._head, self._most, self._work.taken.copy()
        for cell in kept:
            self._work.taken[[cell, self.graph.partner[cell] or cell]] = 1
        self._head = kept[-1] if kept else head
        self._keep([])
        wanted = len(before) - len(kept) + below(self._rng, 2)
        found = self._dive(wanted, self._nodes, True) == FOUND
        end = self._path()
        self._head, self._most, self._work.taken[:] = head, most, taken
        self._keep(kept + end if found else before)

    # The kernels' path.

    def _dive(self, wanted: int, nodes: int, mixed: bool) -> int:
        """The outcome of a dive; the bound is lowered where it proves something."""
        nodes = self._allowed(nodes, self._node_seconds)
        outcome = dive(self.graph, self._head, wanted, nodes, mixed, self._rng, self._work)
        if outcome == NONE:
            self._most = min(self._most, wanted - 1)
        return int(outcome)

    def _polish(self) -> None:
        steps = self._allowed(STEPS, STEP_SECONDS)
        polish(self.graph, self._head, self._most, steps, self._rng, self._work)

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
        rows = self.graph.neighbour.reshape(-1, SLOTS).tolist()
        path = [self._head, *cells]
        return [rows[cell].index(to) for cell, to in pairwise(path)]
