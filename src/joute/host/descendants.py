"""The processes that descend from a bot's: who they are, and the CPU time that all of them used.

The system adds what an ended child has used to the figures of whoever has collected it, which it
tells in steps of ten milliseconds; where a child's end is ignored, it forgets it. So what was seen
of each process is added up here too, and the greater sum counts: neither ever says too much.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator

from joute.machine import shortage


class Descendants:
    """What all that descends from a process has used, whether it has ended or still runs."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._living: dict[int, float] = {}
        self._past = 0.0
        """Seen of those that have ended."""
        self._most = 0.0

    def seconds(self) -> float:
        """The CPU seconds used up to now by all of them but the process itself."""
        found, collected = {}, 0.0
        for pid in family(self._pid):
            found[pid] = 0.0 if pid == self._pid else cpu_seconds(pid)
            collected += _collected(pid)
        for pid, used in self._living.items():
            if found.get(pid, -1.0) < used:  # it has ended; its number may be another's by now
                self._past += used
        self._living = found
        self._most = max(self._most, sum(found.values()) + max(collected, self._past))
        return self._most


def family(pid: int) -> Iterator[int]:
    """A process and all that descends from it, as far as nobody has collected it.

    Each comes before its children, so that the time of one that ends meanwhile is not met twice.
    """
    waiting = [pid]
    while waiting:
        yield (member := waiting.pop())
        for thread in _threads(member):
            waiting += map(int, read(f"/proc/{member}/task/{thread}/children").split())


def cpu_clock(pid: int) -> int:
    """Linux's name for the clock of a process's scheduled time (see clock_getcpuclockid)."""
    return (~pid << 3) | 2


def cpu_seconds(pid: int) -> float:
    """The CPU seconds of a process, all its threads together; 0 of one that has gone."""
    if sys.platform != "linux":
        return 0.0
    try:
        return time.clock_gettime(cpu_clock(pid))
    except OSError:
        return 0.0


def runnable(pid: int) -> int:
    """How many threads of a process and its descendants run, or would if there were a core."""
    return sum(
        stat(f"{member}/task/{thread}")[:1] == [b"R"]
        for member in family(pid)
        for thread in _threads(member)
    )


def stat(name: int | str) -> list[bytes]:
    """The fields of a process or a thread from its state on; none of one that has gone."""
    data = read(f"/proc/{name}/stat")
    # The program's name, in brackets, may hold anything.
    return data[data.rindex(b")") + 2 :].split() if b")" in data else []


def read(path: str) -> bytes:
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


def _collected(pid: int) -> float:
    """The CPU seconds of those children of a process that have ended and were waited for."""
    fields = stat(pid)
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK") if fields else 0.0
