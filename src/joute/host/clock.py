"""The CPU time of another process, in seconds."""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress

# The kernel counts the time of ended children in ticks of about ten milliseconds, so that looking
# for it in a shorter turn finds nothing.
_WORTH_A_LOOK_SECONDS = 0.02


class CpuClock:
    """The CPU time of a process, all its threads together, and of its children that have ended.

    Children that are still running are not counted: the limit on the wall holds for them.
    Where the system has no such clock, time on the wall stands for it.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        # Linux's name for the clock of a process's scheduled time (see clock_getcpuclockid).
        self._clock = (~pid << 3) | 2 if sys.platform == "linux" else time.CLOCK_MONOTONIC
        self._children = 0.0
        self._last = 0.0
        self._origin = 0.0 if sys.platform == "linux" else time.monotonic()

    def seconds(self, wall: float) -> float:
        """The CPU seconds used up to now.

        Args:
            wall: the seconds on the wall since this method's result was last of interest.
        """
        if wall > _WORTH_A_LOOK_SECONDS:
            self._children = max(self._children, _ended_children(self._pid))
        # Of a process that has just ended, what was read last stands.
        with suppress(OSError):
            self._last = time.clock_gettime(self._clock) - self._origin
        return self._last + self._children


def _ended_children(pid: int) -> float:
    try:
        file = os.open(f"/proc/{pid}/stat", os.O_RDONLY)
    except OSError:
        return 0.0
    try:
        data = os.read(file, 4096)
    except OSError:
        return 0.0
    finally:
        os.close(file)
    fields = data[data.rindex(b")") + 2 :].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
