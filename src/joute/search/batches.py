"""How many simulations to run, or nodes to visit, between looks at the clock."""

import time
from collections.abc import Callable, Iterator

SLICE_SECONDS = 0.004  # between two looks, as far as the last one tells
MARGIN_SECONDS = 0.001  # kept back for the last look and the answer
FIRST_SLICE = 50  # nodes before the first look at the clock
GROWTH = 4  # a batch or slice is at most so many times the one before


def batches(
    simulations: int | None, begun: float, seconds: float | None, first: int
) -> Iterator[int]:
    """Numbers of simulations to run, one batch after the other.

    They sum to `simulations`, or stop before `seconds` of CPU of this thread have gone since
    `begun` (its `time.thread_time()`) if a simulation takes as long as those before; but `first`
    are run in any case.
    """
    if simulations is not None:
        yield simulations
        return
    stop = begun + (seconds or 0.0) - MARGIN_SECONDS
    size, now = first, time.thread_time()
    while True:
        yield size
        before, now = now, time.thread_time()
        if now >= stop:
            return
        wanted = size * min(SLICE_SECONDS, stop - now) / max(now - before, 1e-6)
        size = max(1, min(int(wanted), GROWTH * size))


def countdown(seconds: float, wall_seconds: float) -> Callable[[], float]:
    """A clock that shows 0 once this thread has had CPU `seconds`, or `wall_seconds` are over."""
    cpu, wall = time.thread_time() + seconds, time.perf_counter() + wall_seconds
    return lambda: max(time.thread_time() - cpu, time.perf_counter() - wall)


class Pace:
    """Visits nodes until a clock says stop; what it learns of their speed serves the next time."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock  # seconds
        self._slice = FIRST_SLICE

    def run(
        self,
        visit: Callable[[int], bool],
        visited: Callable[[], int],
        budget: int,
        stop: float | None,
    ) -> bool:
        """Whether `visit` ended before `budget` nodes, and before the clock shows `stop`.

        `visit(n)` goes on until it ends, which it returns, or there are n nodes `visited`. Time is
        overrun by SLICE_SECONDS at most where a node takes as long as the ones before it.
        """
        if stop is None:
            return visit(budget)
        before, begun = visited(), self._clock()
        while not visit(min(budget, before + self._slice)):
            nodes, now = visited(), self._clock()
            if nodes >= budget or now >= stop:
                return False
            self._slice = slice_nodes(nodes - before, now - begun, stop - now)
            before, begun = nodes, now
        return True


def slice_nodes(nodes: int, taken: float, left: float) -> int:
    """How many nodes to visit before the next look at the clock, when `nodes` took so long."""
    wanted = nodes * min(SLICE_SECONDS, left) / max(taken, 1e-6)
    return max(1, min(int(wanted), GROWTH * nodes))
