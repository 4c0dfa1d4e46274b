"""The time of a bot: what its processes use, and what it has left in the game.

All times are in seconds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import suppress

from joute.host.descendants import Descendants, cpu_clock
from joute.host.limits import Limits

# To look at all that a bot has started takes longer than many bots to answer.
_WORTH_A_LOOK_SECONDS = 0.02


class CpuClock:
    """The CPU time of a process, all its threads together, and of what it has started.

    That of what it has started is looked for once some time has gone by: what short turns leave out
    is charged to a later one. Where the system has no such clock, time on the wall stands for it.
    """

    def __init__(self, pid: int, group: Callable[[], float] | None = None) -> None:
        """A clock.

        Args:
            pid: of the process.
            group: tells the CPU seconds of its control group, where it has one of its own.
        """
        self._clock = cpu_clock(pid) if sys.platform == "linux" else time.CLOCK_MONOTONIC
        self._descendants = Descendants(pid)
        self._group = group
        self._children = 0.0
        self._unseen = 0.0
        self._last = 0.0
        self._origin = 0.0 if sys.platform == "linux" else time.monotonic()

    def seconds(self, wall: float) -> float:
        """The CPU seconds used up to now.

        Args:
            wall: the seconds on the wall that went by since this was called before, as far as the
                process was running.
        """
        self._unseen += wall
        # Of a process that has just ended, what was read last stands.
        with suppress(OSError):
            self._last = time.clock_gettime(self._clock) - self._origin
        if self._unseen > _WORTH_A_LOOK_SECONDS:
            self._unseen = 0.0
            found = self._descendants.seconds()
            if self._group is not None:
                found = max(found, self._group() - self._last)
            self._children = max(self._children, found)
        return self._last + self._children


class Bank:
    """What a bot has left: its turns have a time each, and draw on the bank for more."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.seconds = limits.bank_seconds
        """In the bank."""
        self.last = 0.0
        """That the last turn was charged."""

    def pay(self, spent: float, limit: float) -> None:
        """Charges a turn that could take `limit`, and adds the increment."""
        beyond = max(spent - limit, 0.0)
        self.seconds = max(self.seconds - beyond, 0.0) + self._limits.increment_seconds
        self.last = spent
