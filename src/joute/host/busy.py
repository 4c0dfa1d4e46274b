"""How late the timers of this machine ring even if it is not busy."""

from __future__ import annotations

import functools
import select
import time

_TIMER_SECONDS = 0.001
_TIMERS = 3


@functools.cache
def usual_lateness() -> float:
    """The seconds by which a timer of ours rings late, at the best of a few times.

    Measured when it is first asked for, which takes some milliseconds.
    """
    return min(_lateness() for _ in range(_TIMERS))


def _lateness() -> float:
    began = time.perf_counter()
    select.poll().poll(1000 * _TIMER_SECONDS)
    return max(time.perf_counter() - began - _TIMER_SECONDS, 0.0)
