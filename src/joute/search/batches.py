"""The work between looks at the clock: simulations to run in a batch, or nodes to visit."""

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from joute.core.interface import mover

SLICE_SECONDS = 0.004  # between two looks of `batches`, by the speed of the last one
PACE_SECONDS = 0.001  # of a `NodePacer`: nodes differ more in their time than simulations do
MARGIN_SECONDS = 0.001  # kept back for the last look and the answer
FIRST_SLICE = 50  # nodes before the first look at the clock
MOST = 1 << 16  # simulations of a batch without seconds: in a kernel Ctrl-C is not heard
MOST_NODES = 1 << 20  # of a slice without seconds
GROWTH = 4  # a batch or slice is at most so many times the one before
LEVEL, ENTERING, NODES = 0, 1, 2  # places in the control of every stack
INFINITY = float("inf")
EASING = 0.9  # from look to look a node is expected to take at least this part of its last time


def batches(
    simulations: int | None, begun: float, seconds: float | None, first: int
) -> Iterator[int]:
    """Numbers of simulations to run, one batch after the other.

    They sum to `simulations`, or stop before `seconds` of CPU of this thread have gone since
    `begun` (its `time.thread_time()`) if a simulation takes as long as those before; but `first`
    are run in any case, where so many are asked for. Simulations without seconds are in batches of
    MOST.
    """
    if simulations is not None and seconds is None:
        for done in range(0, simulations, MOST):
            yield min(simulations - done, MOST)
        return
    left = sys.maxsize if simulations is None else simulations
    stop = begun + (seconds or 0.0) - MARGIN_SECONDS
    size, now = min(first, left), time.thread_time()
    while True:
        yield size
        left -= size
        before, now = now, time.thread_time()
        possible = size * (stop - now) / max(now - before, 1e-6)
        if possible < 1.0 or not left:
            return
        wanted = size * min(SLICE_SECONDS, stop - now) / max(now - before, 1e-6)
        size = max(1, min(int(wanted), GROWTH * size, left))


def first_batch(usual: int, *parts: Any) -> int:
    """Simulations before the first look at the clock: one where a part is written in Python.

    Such an evaluation or policy may take any time.
    """
    return 1 if any(getattr(part, "interpreted", False) for part in parts) else usual


def countdown(seconds: float, wall_seconds: float) -> Callable[[], float]:
    """A clock that shows 0 once this thread has had CPU `seconds`, or `wall_seconds` are over."""
    cpu, wall = time.thread_time() + seconds, time.perf_counter() + wall_seconds
    return lambda: max(time.thread_time() - cpu, time.perf_counter() - wall)


class NodePacer:
    """Visits nodes until a clock says stop; it remembers their speed for the next time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock  # seconds
        self._slice = FIRST_SLICE
        self._each = 0.0  # seconds a node, of the slowest of late

    def run(
        self,
        visit: Callable[[int], bool],
        visited: Callable[[], int],
        budget: int,
        stop: float | None,
    ) -> bool:
        """Whether `visit` ended before `budget` nodes, and before the clock shows `stop`.

        `visit(n)` goes on until it ends, which it returns, or there are n nodes `visited`. Time is
        overrun by PACE_SECONDS at most where a node takes as long as the slowest of late.
        """
        if stop is None:
            while not visit(min(budget, visited() + MOST_NODES)):
                if visited() >= budget:
                    return False
            return True
        before, begun = visited(), self._clock()
        known = slice_nodes(self._slice, self._slice * self._each, stop - begun)
        self._slice = min(self._slice, known)
        while not visit(min(budget, before + self._slice)):
            nodes, now = visited(), self._clock()
            if nodes >= budget or now >= stop:
                return False
            done = max(nodes - before, 1)
            self._each = max((now - begun) / done, EASING * self._each)
            self._slice = slice_nodes(done, done * self._each, stop - now)
            before, begun = nodes, now
        return True


def slice_nodes(nodes: int, taken: float, left: float) -> int:
    """The nodes to visit before the next look at the clock, when `nodes` took so long."""
    wanted = nodes * min(PACE_SECONDS, left) / max(taken, 1e-6)
    return max(1, min(int(wanted), GROWTH * nodes))


class DepthSearch:
    """A search to a depth whose kernel keeps a stack, so that it can stop at any node and go on."""

    _game: Any
    _work: Any  # the stack
    _pace: NodePacer

    def _advance(self, nodes: int) -> bool:
        """Goes on until there are so many nodes in all; returns whether the search ended."""
        raise NotImplementedError

    def _iterate(
        self,
        state: np.ndarray,
        depth: int,
        budget: int,
        stop: float | None,
        window: tuple[float, float] = (-INFINITY, INFINITY),
    ) -> bool:
        """Searches to one depth; returns whether it ended before the budget and the clock did."""
        work = self._work
        work.states[0] = state
        work.depths[0] = depth
        work.players[0] = mover(self._game, state)
        work.alphas[0], work.betas[0] = window
        work.best[0] = -1
        work.control[LEVEL], work.control[ENTERING] = 0, 1
        return self._pace.run(self._advance, lambda: int(work.control[NODES]), budget, stop)
