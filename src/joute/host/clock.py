"""The time of a bot: what its processes use, and what it has left in the game.

All times are in seconds.
"""

from __future__ import annotations

import functools
import os
import select
import sys
import time
from collections.abc import Callable
from contextlib import suppress

from joute.host.descendants import Descendants, cpu_clock, read, runnable
from joute.host.limits import Limits, wall_seconds
from joute.i18n.words import Sentence, english

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
    """The time that a bot has left: its turns have a time each, and draw on the bank for more."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.seconds = limits.bank_seconds  # In the bank
        self.last = 0.0  # That the last turn was charged

    def pay(self, spent: float, limit: float) -> None:
        """Charges a turn that could take `limit`, and adds the increment."""
        beyond = max(spent - limit, 0.0)
        self.seconds = max(self.seconds - beyond, 0.0) + self._limits.increment_seconds
        self.last = spent


_TIMER_SECONDS = 0.001
_TIMERS = 3


class Crowd:
    """The threads of others that wanted to run, over all looks since this was made."""

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
        """The seconds a thread waits for each second that it runs, if it wants to all the time.

        That is what a fair share of the cores leaves it; 0 where there is a core for everybody.
        """
        others = self._others / self._looks if self._looks else 0.0
        return max((others + 1) / cores() - 1, 0.0)


def cores() -> int:
    """The number of cores that this process may use."""
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


# How long the clocks are not looked at; a bot of many threads can overdraw by so much on each core.
_LOOK_SECONDS = 0.05
_LEAST_SECONDS = 0.001
# Of the time on the wall, however busy the host is; and where the game is not played again.
_PATIENCE, _LAST_PATIENCE = 4.0, 20.0


class Turn:
    """One turn, from the message to the answer or the verdict."""

    def __init__(
        self,
        clocks: tuple[CpuClock, Crowd],
        allowed: tuple[float, float, float],
        charged: float,
        began: float,
        last_try: bool = False,
    ) -> None:
        """Starts the turn.

        Args:
            clocks: of the bot, and of how crowded the machine is meanwhile.
            allowed: the time of the turn, what is in the bank, and the grace.
            charged: what the bot's clock showed when its last turn was over; what it used since
                then, while it should have stood still, is charged to this one.
            began: what the performance counter showed at the beginning.
            last_try: whether who has no answer after more patience is late.
        """
        self._clock, self._crowd = clocks
        self._last_try = last_try
        self._patience = _LAST_PATIENCE if last_try else _PATIENCE
        self._limit, self._bank, grace = allowed
        self._most = self._limit + self._bank + grace
        self._wall_most = wall_seconds(self._limit + self._bank)
        self._charged = charged
        self._began = began
        self._overslept = 0.0
        self._excused = 0.0
        self.cpu = 0.0  # Charged so far
        self.wall = 0.0
        self.in_time = 0.0  # Time on the wall at the last look that found the bot in time

    def rest(self) -> float:
        """The seconds to wait for the answer before the next look."""
        wall_left = self._wall_most + self._excused - self.wall
        return max(min(self._most - self.cpu, wall_left, _LOOK_SECONDS), _LEAST_SECONDS)

    def look(self, waited: float) -> None:
        """Reads the clocks, after having waited for `waited` at most."""
        if not self.late:
            self.in_time = self.wall
        wall = time.perf_counter() - self._began
        went_by, self.wall = wall - self.wall, wall
        cpu = self._clock.seconds(went_by) - self._charged
        used, self.cpu = cpu - self.cpu, cpu
        if went_by >= _LOOK_SECONDS / 2:
            late = max(went_by - waited - usual_lateness(), 0.0)
            self._overslept += max(min(went_by - used, late), 0.0)
            self._crowd.look()
            waiting = self._overslept + self._crowd.waiting() * self.cpu
            self._excused = max(min(self.wall - self.cpu, waiting), 0.0)

    @property
    def late(self) -> bool:
        """Whether the bot has had its time."""
        if self._last_try and self.wall > self._patience * self._wall_most:
            return True
        return self.cpu > self._most or self.wall - self._excused > self._wall_most

    @property
    def busy(self) -> bool:
        """Whether the host is too busy for the time on the wall to say anything of the bot."""
        return not self.late and self.wall > self._wall_most

    @property
    def hopeless(self) -> bool:
        """Whether a busy host has been waited for long enough."""
        return self.busy and self.wall > self._patience * self._wall_most

    @property
    def over(self) -> bool:
        """Whether waiting is over, without an answer."""
        return self.late or self.hopeless

    def since(self, wall: float) -> float:
        """The seconds on the wall since the turn had taken `wall`."""
        return time.perf_counter() - self._began - wall

    def words(self) -> str:
        """The reason the turn was over; "" if it was not."""
        if self.late:
            return late_words(self.cpu, self.wall, self._limit, self._bank)
        if self.hopeless:
            times = {"wall": f"{self.wall:.2f}", "others": f"{self._excused:.2f}"}
            return english(Sentence("error.answer.crowded", **times))
        return ""


def late_words(cpu: float, wall: float, limit: float, bank: float = 0.0) -> str:
    """The sentence on a turn that took too long. All in seconds.

    Args:
        cpu: that the bot used.
        wall: that went by.
        limit: of the turn, which stands for CPU.
        bank: what was left for turns that take longer.
    """
    key = ("late" if cpu > limit + bank else "none") + (".bank" if bank > 0 else "")
    times = {"cpu": cpu, "wall": wall, "limit": limit, "bank": bank}
    times["most"] = wall_seconds(limit + bank)
    written = {name: f"{seconds:.2f}" for name, seconds in times.items()}
    return english(Sentence(f"error.answer.{key}", **written))
