"""What a process has taken of the kernel, of its user's and of the machine's, seen from outside."""

from __future__ import annotations

import array
import ctypes
import fcntl
import os
import re
import signal
import socket
import stat
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_PIDFD_GETFD = 438
_MEMORY_OF_SOCKET, _SENT = 55, 2  # SO_MEMINFO, and the place in it of what waits to be received
_NUMBERS_OF_SOCKET = 9
_MOST_SIGNALS = 80
"""That wait, or are reserved for timers; more is not a bot's own affair."""


def taken(pid: int) -> set[str]:
    """What it has that a bot should not, in words."""
    status = _text(f"/proc/{pid}/status")
    found = set()
    timers = _text(f"/proc/{pid}/timers")
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
    for name in _descriptors(pid):
        if _number(r"scm_fds:\s+(\d+)", _text(f"/proc/{pid}/fdinfo/{name}")):
            found.add("open files in a message")
    return found


def kernel_mb(pid: int) -> float:
    """The MB that the kernel keeps for it: page tables, what is in sockets and pipes."""
    held = _number(r"VmPTE:\s+(\d+)", _text(f"/proc/{pid}/status")) * 1024
    ends = [name for name in _descriptors(pid) if _connects(pid, name)]
    for name in ends:
        with suppress(OSError, ValueError), _copied(pid, int(name)) as descriptor:
            held += _waiting(descriptor)
    return held / 2**20


def _counted_apart(pid: int) -> bool:
    """Whether what its user has is its own: it is another user, or in a world of its own."""
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


def _connects(pid: int, name: str) -> bool:
    try:
        return os.readlink(f"/proc/{pid}/fd/{name}").startswith(("socket:", "pipe:"))  # noqa: PTH115
    except OSError:
        return False


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


def _descriptors(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/fd")  # noqa: PTH208 - names, not paths
    except OSError:
        return []


def _number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    return int(found.group(1)) if found else 0


def _text(path: str) -> str:
    with suppress(OSError):
        return Path(path).read_text(encoding="latin-1")
    return ""
