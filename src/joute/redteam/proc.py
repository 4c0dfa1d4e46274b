"""The state of a bot's processes, seen from outside through /proc, whatever the bot says of itself.

That is what they are, what they have taken of the kernel, of their user's and of the machine's
limits, and the CPU that they use.
"""

from __future__ import annotations

import array
import ctypes
import fcntl
import os
import re
import select
import signal
import socket
import stat
import struct
import termios
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from joute.host.clock import cores
from joute.host.descendants import cpu_seconds, family, read
from joute.machine import Closing

_NAMESPACES = ("cgroup", "ipc", "mnt", "net", "pid", "user", "uts")
_LIMITS = (
    *("Max data size", "Max file size", "Max processes", "Max address space", "Max stack size"),
    *("Max open files", "Max pending signals", "Max locked memory", "Max msgqueue size"),
    *("Max nice priority", "Max realtime priority"),
)
_NETWORKS = ("AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET")
_PIDFD_GETFD = 438
_KILLED = 1 << (signal.SIGKILL - 1)
_EXITING = 0x4  # of a process's flags
_HARMLESS = ("[eventfd]", "[eventpoll]", "[pidfd]", "[signalfd]", "[timerfd]")
_MEMORY_OF_SOCKET, _SENT = 55, 2  # SO_MEMINFO, and the place in it of what waits to be received
_NUMBERS_OF_SOCKET = 9
_MOST_SIGNALS = 80
"""The most signals that wait, or are reserved for timers, without harm to others."""


class ProcessesSeen(NamedTuple):
    """A bot's processes at one moment."""

    processes: int
    threads: int
    """The sum over all processes."""
    memory_mb: float
    """Memory that is mapped, shared, in files without a name, or kept for them by the kernel."""
    running: bool
    """Whether one of them computes."""
    halted: bool
    """Whether all of them are stopped."""
    held: list[str]
    """Open objects that a bot should not have: files to write, sockets, rarer kinds."""


def descendants(pid: int) -> list[int]:
    """The living processes below `pid`, whatever their session; `pid` itself apart."""
    children: dict[int, list[int]] = {}
    for name in _names("/proc"):
        if name.isdigit() and (fields := _stat(int(name))) and fields[0] not in "ZX":
            children.setdefault(int(fields[1]), []).append(int(name))
    found: list[int] = []
    waiting = [pid]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def doomed(pid: int) -> bool:
    """Whether a process was killed, and needs nothing but a core to be gone."""
    fields = _stat(pid)
    pending = re.findall(r"(?:Sig|Shd)Pnd:\s+(\w+)", _status(pid))
    killed = any(int(signals, 16) & _KILLED for signals in pending)
    return killed or bool(fields and int(fields[6]) & _EXITING)


def look(pids: Sequence[int], guarded: Iterable[str] = ()) -> ProcessesSeen:
    """The state of the processes, and what they have.

    Args:
        pids: of the processes.
        guarded: the folders in which they may write nothing.
    """
    stats = [fields for pid in pids if (fields := _stat(pid))]
    files: dict[tuple[int, int], float] = {}
    held: set[str] = set()
    for pid in pids:
        held |= _held(pid, list(guarded), files) | taken(pid)
    return ProcessesSeen(
        processes=len(stats),
        threads=sum(int(fields[17]) for fields in stats),
        memory_mb=sum(map(_mapped_mb, pids)) + sum(map(kernel_mb, pids)) + sum(files.values()),
        running=any(map(_computes, pids)),
        halted=all(fields[0] in "Tt" for fields in stats),
        held=sorted(held),
    )


def traits(pid: int) -> dict[str, str]:
    """The properties of a process that it cannot change about itself where it is isolated."""
    found = {}
    for name in _NAMESPACES:
        with suppress(OSError):
            found[f"namespace {name}"] = os.readlink(f"/proc/{pid}/ns/{name}")  # noqa: PTH115
    with suppress(OSError):
        found["root folder"] = os.readlink(f"/proc/{pid}/root")  # noqa: PTH115
    for line in _text(f"/proc/{pid}/limits").splitlines():
        if line.startswith(_LIMITS):
            found[line[:25].strip().lower()] = line[25:].strip()
    if fields := _stat(pid):
        found["priority"] = fields[16]
        found["scheduler"] = fields[38]
    with suppress(OSError):
        found["cores"] = str(sorted(os.sched_getaffinity(pid)))
        found["owner of what is told of it"] = str(os.stat(f"/proc/{pid}/stat").st_uid)  # noqa: PTH116
    found["place among those killed for memory"] = _text(f"/proc/{pid}/oom_score_adj").strip()
    found["personality"] = _text(f"/proc/{pid}/personality").strip()
    filters = re.search(r"Seccomp_filters:\s+(\d+)", _status(pid))
    found["filters of system calls"] = filters.group(1) if filters else ""
    return found


def state(pid: int) -> dict[str, str]:
    """The state of another process, as far as isolated processes cannot change it."""
    if not (fields := _stat(pid)) or fields[0] in "ZX":
        return {"life": "over"}
    tracer = re.search(r"TracerPid:\s+(\d+)", _status(pid))
    return {
        "life": "stopped" if fields[0] in "Tt" else "going on",
        "tracer": tracer.group(1) if tracer else "0",
        "cores": str(sorted(os.sched_getaffinity(pid))),
        "files": "".join(re.findall("Max open files.*", _text(f"/proc/{pid}/limits"))),
        **{name: traits(pid)[name] for name in ("priority", "scheduler")},
    }


def taken(pid: int) -> set[str]:
    """Resources of its user and of the machine that a bot should not have, in words."""
    status, timers = _status(pid), _text(f"/proc/{pid}/timers")
    found = set()
    if timers.count("ID: ") > _MOST_SIGNALS:
        found.add("timers that its user has so many of")
    if _counted_apart(pid) and _number(r"SigQ:\s+(\d+)/", status) > _MOST_SIGNALS:
        found.add("signals that its user has so many of")
    if _number(r"VmLck:\s+(\d+)", status) or _number(r"HugetlbPages:\s+(\d+)", status):
        found.add("memory that others cannot have back")
    if "/[aio]" in _text(f"/proc/{pid}/maps"):
        found.add("places for requests that the machine has so many of")
    if re.search(rf"^signal: {signal.SIGCONT.value}/", timers, re.MULTILINE):
        found.add("a timer that wakes it when it is stopped")
    for name in _names(f"/proc/{pid}/fd"):
        if _number(r"scm_fds:\s+(\d+)", _text(f"/proc/{pid}/fdinfo/{name}")):
            found.add("open files in a message")
    return found


def kernel_mb(pid: int) -> float:
    """The MB that the kernel keeps for a process: page tables, content of sockets and pipes."""
    held = _number(r"VmPTE:\s+(\d+)", _status(pid)) * 1024
    for name in _names(f"/proc/{pid}/fd"):
        with suppress(OSError, ValueError):
            link = os.readlink(f"/proc/{pid}/fd/{name}")  # noqa: PTH115
            if link.startswith(("socket:", "pipe:")):
                with _copied(pid, int(name)) as descriptor:
                    held += _waiting(descriptor)
    return held / 2**20


def _counted_apart(pid: int) -> bool:
    """Whether its user's resources are counted apart: another user, or another user namespace."""
    with suppress(OSError):
        ours, its = (os.stat(f"/proc/{each}/ns/user").st_ino for each in ("self", pid))  # noqa: PTH116
        return ours != its or os.stat(f"/proc/{pid}").st_uid != os.geteuid()  # noqa: PTH116
    return False


def _waiting(descriptor: int) -> int:
    """The bytes of memory of what was written to one end and not read at the other."""
    if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
        with socket.socket(fileno=os.dup(descriptor)) as end:
            told = end.getsockopt(socket.SOL_SOCKET, _MEMORY_OF_SOCKET, 4 * _NUMBERS_OF_SOCKET)
        return array.array("I", told)[_SENT]
    waiting = array.array("i", [0])
    fcntl.ioctl(descriptor, termios.FIONREAD, waiting)
    # Both ends of a pipe tell the same.
    return waiting[0] // 2


@contextmanager
def _copied(pid: int, number: int) -> Iterator[int]:
    """A copy of a process's descriptor. Raises OSError."""
    process = os.pidfd_open(pid)
    try:
        copy = int(ctypes.CDLL(None).syscall(_PIDFD_GETFD, process, number, 0))
    finally:
        os.close(process)
    if copy < 0:
        raise PermissionError(f"descriptor {number} of process {pid}")
    try:
        yield copy
    finally:
        os.close(copy)


def _held(pid: int, guarded: list[str], files: dict[tuple[int, int], float]) -> set[str]:
    """Objects that a bot should not have open; adds the MB of unnamed files to `files`."""
    found: set[str] = set()
    for name in _names(f"/proc/{pid}/fd"):
        link = f"/proc/{pid}/fd/{name}"
        with suppress(OSError):
            path, facts = os.readlink(link), os.stat(link)  # noqa: PTH115, PTH116
            if path.startswith("anon_inode:") and path[11:] not in _HARMLESS:
                found.add(path[11:].strip("[]").split(":")[0])
            elif path.startswith("/memfd:"):
                files[facts.st_dev, facts.st_ino] = facts.st_blocks * 512 / 2**20
            elif path.startswith("socket:"):
                found.add(_socket(pid, int(name)))
            elif (folder := _within(path, guarded, facts.st_dev)) and _writable(pid, name):
                found.add(f"a file to write in {folder}")
    return found - {""}


def _computes(pid: int) -> bool:
    """Whether a thread of a process runs, or would as soon as there is a core for it."""
    return any(_stat(f"{pid}/task/{each}")[:1] == ["R"] for each in _names(f"/proc/{pid}/task"))


def _within(path: str, guarded: list[str], device: int) -> str:
    """The guarded folder that holds a file; "" also for a folder of that name on another mount."""
    for folder in guarded:
        if path.startswith(folder + "/") and Path(folder).stat().st_dev == device:
            return folder
    return ""


def _writable(pid: int, name: str) -> bool:
    flags = re.search(r"flags:\s+(\d+)", _text(f"/proc/{pid}/fdinfo/{name}"))
    return flags is not None and int(flags.group(1), 8) & os.O_ACCMODE != os.O_RDONLY


def _socket(pid: int, number: int) -> str:
    """The reach of a socket of a process, in words; "" if it reaches nobody."""
    try:
        with _copied(pid, number) as copy:
            found = socket.socket(fileno=os.dup(copy))
    except (OSError, ValueError):
        return ""
    with found:
        return _reach(
            found, alone=traits(pid)["namespace net"] != traits(os.getpid())["namespace net"]
        )


def _reach(found: socket.socket, alone: bool) -> str:
    """The reach of a socket, in words.

    Args:
        found: a copy of it.
        alone: whether its network is the process's own, with nobody in it.
    """
    family = getattr(found.family, "name", str(found.family))
    if family == "AF_UNIX" or (alone and family in _NETWORKS):
        return ""
    if family not in ("AF_INET", "AF_INET6"):
        return f"a socket of {family}"
    if found.type == socket.SOCK_STREAM:
        listens = found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
        return "a TCP socket that listens" if listens else ""
    return f"a socket of {family} and {getattr(found.type, 'name', found.type)}"


def _mapped_mb(pid: int) -> float:
    return _number(r"(?m)^Pss:\s+(\d+) kB", _text(f"/proc/{pid}/smaps_rollup")) / 1024


def _stat(pid: int | str) -> list[str]:
    """The fields of a process from its state on; none where there is no such process."""
    text = _text(f"/proc/{pid}/stat")
    return text[text.rindex(")") + 2 :].split() if ")" in text else []


def _status(pid: int) -> str:
    return _text(f"/proc/{pid}/status")


def _names(folder: str) -> list[str]:
    with suppress(OSError):
        return os.listdir(folder)  # noqa: PTH208 - names, not paths
    return []


def _number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    return int(found.group(1)) if found else 0


def _text(path: str) -> str:
    """The text of a file of the system; "" if it is gone or not readable."""
    try:
        with open(path, encoding="latin-1") as file:  # noqa: PTH123 - quicker, for many small files
            return file.read()
    except OSError:
        return ""


_LOOK_SECONDS = 0.002
_READING = struct.Struct("2d")


class Meter(Closing):
    """A process that measures the CPU used by all that descends from this one, all the time.

    Made before there are threads. Independent of the referee's clock: every two milliseconds it
    adds what each process has used since it was last seen, whoever collects it. What it misses, of
    the last moments of each process and more on a busy machine, makes an attack look less
    successful, never more.
    """

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


def _measure(referee: int) -> None:
    """Measures until nobody can ask any more; this process itself apart."""
    last: dict[int, float] = {}
    used_ms, crowd = 0.0, 0
    while True:
        asked, _, _ = select.select([0], [], [], _LOOK_SECONDS)
        now = {
            pid: cpu_seconds(pid) for pid in family(referee) if pid not in (referee, os.getpid())
        }
        for pid, seconds in now.items():
            since = seconds - last.get(pid, 0.0)
            # Where that is less than nothing, the number has become another's.
            used_ms += 1000 * (since if since >= 0 else seconds)
        last = now
        words = read("/proc/loadavg").split()
        crowd = max(crowd, int(words[3].partition(b"/")[0]) - 1 if len(words) > 3 else 0)
        if asked:
            if not os.read(0, 1):
                return
            os.write(1, _READING.pack(used_ms, max((crowd + 1) / cores() - 1, 0.0)))
            crowd = 0
