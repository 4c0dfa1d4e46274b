"""How busy this machine is, by a known amount of work and by its timers."""

from __future__ import annotations

import functools
import select
import time
from typing import NamedTuple

_WORK = 50_000
"""Steps: some milliseconds."""
_TIMER_SECONDS = 0.001
_TIMERS = 3


class Calibration(NamedTuple):
    """What a process of ours gets of this machine."""

    share: float
    """Of a core, while it computes: 1.0 on an idle machine."""
    late_seconds: float
    """By which a timer rings late, at the best of a few times."""


@functools.cache
def calibrated() -> Calibration:
    """What was measured when it was first asked for; that takes some ten milliseconds."""
    wall, cpu = time.perf_counter(), time.thread_time()
    for _ in range(_WORK):
        pass
    share = (time.thread_time() - cpu) / (time.perf_counter() - wall)
    return Calibration(min(share, 1.0), min(_lateness() for _ in range(_TIMERS)))


def _lateness() -> float:
    began = time.perf_counter()
    select.poll().poll(1000 * _TIMER_SECONDS)
    return max(time.perf_counter() - began - _TIMER_SECONDS, 0.0)
