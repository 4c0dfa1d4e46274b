"""How many simulations to run between looks at the clock."""

import time
from collections.abc import Iterator

SLICE_SECONDS = 0.004  # between two looks, as far as the last one tells
MARGIN_SECONDS = 0.001  # kept back for the last look and the answer
GROWTH = 4  # a batch is at most so many times the one before


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
