"""The CPU that descends from a process, measured by a process of its own that looks all the time.

Independent of the referee's clock: it adds up, every two milliseconds, what each process has used
since it was last seen, whoever collects it. What it misses, of the last moments of each process and
on a busy machine more of them, makes an attack look less successful, never more.
"""

from __future__ import annotations

import os
import select
import struct

from joute.host.clock import cores
from joute.host.descendants import cpu_seconds, family, read
from joute.machine import Closing

_LOOK_SECONDS = 0.002
_READING = struct.Struct("2d")


class Meter(Closing):
    """The process that measures what descends from this one; made before there are threads."""

    def __init__(self) -> None:
        asked, self._ask = os.pipe()
        self._told, tell = os.pipe()
        referee = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.dup2(asked, 0)
                os.dup2(tell, 1)
                os.closerange(3, max(asked, tell, self._ask, self._told) + 1)
                _measure(referee)
            finally:
                os._exit(0)
        os.close(asked)
        os.close(tell)

    def read(self) -> tuple[float, float]:
        """The milliseconds of CPU used so far, and how crowded the machine was since the last call.

        That is how long a thread that wants to run all the time waits for each second that it runs,
        by the most crowded moment.
        """
        os.write(self._ask, b"?")
        used, waiting = _READING.unpack(os.read(self._told, _READING.size))
        return used, waiting

    def close(self) -> None:
        """Ends it."""
        os.close(self._ask)
        os.close(self._told)
        os.waitpid(self.pid, 0)


class Tally:
    """What was seen of the processes below one, this process apart."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._last: dict[int, float] = {}
        self.used_ms = 0.0

    def look(self) -> None:
        """Adds what each has used since it was last seen."""
        now = {}
        for pid in family(self._pid):
            if pid not in (self._pid, os.getpid()):
                now[pid] = cpu_seconds(pid)
                since = now[pid] - self._last.get(pid, 0.0)
                # Where that is less than nothing, the number has become another's.
                self.used_ms += 1000 * (since if since >= 0 else now[pid])
        self._last = now


def _measure(pid: int) -> None:
    """Measures until nobody can ask any more."""
    tally, crowd = Tally(pid), 0
    while True:
        asked, _, _ = select.select([0], [], [], _LOOK_SECONDS)
        tally.look()
        words = read("/proc/loadavg").split()
        crowd = max(crowd, int(words[3].partition(b"/")[0]) - 1 if len(words) > 3 else 0)
        if asked:
            if not os.read(0, 1):
                return
            os.write(1, _READING.pack(tally.used_ms, max((crowd + 1) / cores() - 1, 0.0)))
            crowd = 0
