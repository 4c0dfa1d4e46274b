"""The processes that descend from a bot's: who they are, and the CPU time that all of them used.

The system adds what an ended child has used to the figures of whoever has collected it, which it
tells in steps of ten milliseconds; where a child's end is ignored, it forgets it. So what was seen
of each process is added up here too, and the greater sum counts: neither ever says too much.
"""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from joute.i18n.words import Sentence, english
from joute.machine import shortage


class Descendants:
    """The CPU time and memory used by all descendants of a process, ended or still running."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._living: dict[int, float] = {}
        self._past = 0.0  # Seen of those that have ended
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
    """The number of threads of a process and its descendants that run, or would on a free core."""
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


# A fork bomb may need several rounds; a slot must be free within half a second.
_SECONDS = 0.3
_EXEC_SECONDS = 0.0005  # between looks at a process that is becoming another program
_PF_KTHREAD = 0x00200000  # of a process's flags: one of the kernel's, which has no words either


class _Process(NamedTuple):
    state: str
    parent: int
    session: int
    began: int  # Clock ticks since the machine started


def end_family(pid: int, tag: str) -> None:
    """Kills the bot `pid` and its family.

    Args:
        pid: a child of ours, not yet waited for, that leads a session of its own.
        tag: the value of its JOUTE_BOT.
    """
    # Stopped, it starts nothing while we look, and stays the parent of what it has started.
    signal_group(pid, signal.SIGSTOP)
    deadline = time.monotonic() + _SECONDS
    while (others := relatives(pid, tag, deadline)) and time.monotonic() < deadline:
        for other in others:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(other, signal.SIGKILL)
    signal_group(pid, signal.SIGKILL)


def signal_group(pid: int, number: int) -> None:
    """Sends a signal to all processes of the group that `pid` leads.

    Args:
        pid: a child of ours, not yet waited for.
        number: of the signal.
    """
    with suppress(ProcessLookupError, PermissionError):
        try:
            os.killpg(pid, number)
        except ProcessLookupError:
            os.kill(pid, number)  # just forked, it leads no group yet


def relatives(pid: int, tag: str, deadline: float | None = None) -> set[int]:
    """The living processes of the family of `pid`, itself apart.

    One that is becoming another program is waited for, until the monotonic clock shows `deadline`;
    for 0.3 s by default.
    """
    deadline = time.monotonic() + _SECONDS if deadline is None else deadline
    processes = _processes()
    if pid not in processes:
        return set()
    began = processes[pid].began
    mark = b"JOUTE_BOT=" + tag.encode()
    family = {pid}
    # Only what is younger can descend from it: few enough to look at closely.
    younger = {p: it for p, it in processes.items() if it.began >= began and p != pid}
    for other, process in younger.items():
        if process.session == pid or _carries(other, mark, deadline):
            family.add(other)
    grown = True
    while grown:
        found = {p for p, process in younger.items() if process.parent in family} - family
        family |= found
        grown = bool(found)
    return {p for p in family if p != pid and processes[p].state not in "ZX"}


def _processes() -> dict[int, _Process]:
    """All processes that can be seen, by their number."""
    found = {}
    folder = Path("/proc")
    for name in os.listdir(folder) if folder.is_dir() else ():  # noqa: PTH208 - names, not paths
        if name.isdigit() and (data := _read(f"/proc/{name}/stat")):
            # The program's name, in brackets, may hold anything; the rest is numbers.
            fields = data[data.rindex(b")") + 2 :].split()
            found[int(name)] = _Process(
                fields[0].decode(), int(fields[1]), int(fields[3]), int(fields[19])
            )
    return found


def _carries(pid: int, mark: bytes, deadline: float) -> bool:
    """Whether a process has that line in its environment; waits for the end of an exec."""
    while True:
        executes = _executes(pid)  # looked at first: it may end before the next line
        found = _read(f"/proc/{pid}/environ")
        if found or not executes or time.monotonic() >= deadline:
            return mark in found.split(b"\0")
        time.sleep(_EXEC_SECONDS)


def _executes(pid: int) -> bool:
    """Whether a process is becoming another program, and has neither words nor environment yet."""
    fields = stat(pid)
    lives = bool(fields) and fields[0] not in (b"Z", b"X") and not int(fields[6]) & _PF_KTHREAD
    return lives and not _read(f"/proc/{pid}/cmdline")


def _read(path: str) -> bytes:
    """The bytes of a small file of the system; none if it has gone or is not for us."""
    try:
        return read(path)
    except OSError:
        return b""


_WORTH_A_LOOK_SECONDS = 0.005
# Code that is compiled while it runs, and tables, come on top of what can be written.
_ALLOWANCE = 1.5
_HELD = re.compile(rb"^(?:RssAnon|VmSwap|VmPTE):\s+(\d+) kB", re.MULTILINE)


class MemoryWatch:
    """Whether a process of a bot holds much more memory than it may write."""

    def __init__(self, pid: int, memory_mb: int) -> None:
        """Nothing is looked at yet.

        Args:
            pid: of the bot's process.
            memory_mb: MiB that each process may write; 0 for no limit.
        """
        self._pid = pid
        self._most_kb = _ALLOWANCE * memory_mb * 1024
        self._watching = memory_mb > 0 and sys.platform == "linux"
        self._unseen = 0.0
        self.exceeded = False  # Whether one was seen that does

    def look(self, wall: float) -> None:
        """Looks, once enough time has gone by.

        Args:
            wall: the seconds on the wall since this was called before, as far as it was running.
        """
        self._unseen += wall
        if self._watching and self._unseen > _WORTH_A_LOOK_SECONDS:
            self._unseen = 0.0
            self.exceeded = self.exceeded or any(
                held_kb(pid) > self._most_kb for pid in family(self._pid)
            )


def too_much(memory_mb: int) -> str:
    """The sentence on a process that was seen to hold too much memory."""
    return english(Sentence("error.process.memory", most=memory_mb))


def held_kb(pid: int) -> int:
    """The KiB of a process's own memory and of its page tables; 0 of one that has gone."""
    return sum(map(int, _HELD.findall(read(f"/proc/{pid}/status"))))
