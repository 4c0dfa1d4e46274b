"""The time of a bot: what its processes use, what they wait for, what it has left in the game.

All times are in seconds.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

from joute.host.limits import Limits
from joute.machine import shortage

# Of children, the kernel tells the time in ticks of about ten milliseconds, so that looking for it
# in a shorter time finds next to nothing.
_WORTH_A_LOOK_SECONDS = 0.02


class CpuClock:
    """The CPU time of a process, all its threads together, and of what it has started.

    That of children is known in ticks of about ten milliseconds, and looked for once more than that
    has gone by: what short turns leave out is charged to a later one. Where the system has no such
    clock, time on the wall stands for it.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        # Linux's name for the clock of a process's scheduled time (see clock_getcpuclockid).
        self._clock = (~pid << 3) | 2 if sys.platform == "linux" else time.CLOCK_MONOTONIC
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
        if self._unseen > _WORTH_A_LOOK_SECONDS:
            self._unseen = 0.0
            self._children = max(self._children, _children(self._pid))
        # Of a process that has just ended, what was read last stands.
        with suppress(OSError):
            self._last = time.clock_gettime(self._clock) - self._origin
        return self._last + self._children


class QueueClock:
    """The time that a bot's threads were ready to run, but other processes had the cores."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._last = 0.0

    def seconds(self) -> float:
        """The seconds since this was called before, added up over all threads."""
        waited = sum(map(_queued, _family(self._pid)))
        # Threads that have ended take their share with them.
        since, self._last = max(waited - self._last, 0.0), waited
        return since


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


def _children(pid: int) -> float:
    """The CPU seconds of all that a process has started: what has ended, what runs."""
    ticks = 0
    for member in _family(pid):
        own, ended = _ticks(member)
        ticks += ended + (own if member != pid else 0)
    return ticks / os.sysconf("SC_CLK_TCK")


def _family(pid: int) -> Iterator[int]:
    """A process and all that descends from it, as far as it has not been waited for."""
    waiting = [pid]
    while waiting:
        yield (member := waiting.pop())
        for thread in _threads(member):
            waiting += map(int, _read(f"/proc/{member}/task/{thread}/children").split())


def _threads(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - names, not paths
    except OSError as error:
        _gone(error)
        return []


def _gone(error: OSError) -> None:
    """Raises an error that says nothing of the process: its time is not to be taken for none."""
    if shortage(error) is not None:
        raise error


def _ticks(pid: int) -> tuple[int, int]:
    """What a process has used, and what those of its children that have ended."""
    data = _read(f"/proc/{pid}/stat")
    if not data:
        return 0, 0
    fields = data[data.rindex(b")") + 2 :].split()
    return int(fields[11]) + int(fields[12]), int(fields[13]) + int(fields[14])


def _queued(pid: int) -> float:
    """The seconds that the threads of a process were ready to run, and did not."""
    found = (_read(f"/proc/{pid}/task/{thread}/schedstat") for thread in _threads(pid))
    return sum(int(data.split()[1]) for data in found if data) / 1e9


def _read(path: str) -> bytes:
    """The bytes of a small file of the system; none if it has gone. Raises OSError for others."""
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError as error:
        _gone(error)
        return b""
    try:
        return os.read(file, 1 << 16)
    except OSError:
        return b""
    finally:
        os.close(file)
