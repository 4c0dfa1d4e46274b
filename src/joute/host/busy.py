"""What this machine shows of being busy: how late its timers ring, how many want its cores."""

from __future__ import annotations

import functools
import os
import select
import time

from joute.host.descendants import read, runnable

_TIMER_SECONDS = 0.001
_TIMERS = 3


class Crowd:
    """How many threads of others wanted to run, over all looks since this was made."""

    def __init__(self, pid: int) -> None:
        """Counts those that neither are ours nor belong to the bot whose process is `pid`."""
        self._pid = pid
        self._looks = 0
        self._others = 0

    def look(self) -> None:
        """Counts those who want to run now; nobody, where the system does not tell."""
        words = read("/proc/loadavg").split()
        if len(words) > 3:
            ours = 1 + runnable(self._pid)
            self._others += int(words[3].partition(b"/")[0]) - ours
        self._looks += 1

    def waiting(self) -> float:
        """How long a thread has to wait for each second that it runs, if it wants to all the time.

        That is what a fair share of the cores leaves it; 0 where there is a core for everybody.
        """
        others = self._others / self._looks if self._looks else 0.0
        return max((others + 1) / cores() - 1, 0.0)


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


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
