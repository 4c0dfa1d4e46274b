"""What the system says of a bot's processes: looked at from outside, whatever the bot says."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import socket
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from joute.redteam.taken import kernel_mb, taken

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


class Seen(NamedTuple):
    """A bot's processes at one moment."""

    processes: int
    threads: int
    """Of all processes together."""
    memory_mb: float
    """That they hold: mapped, shared, in files without a name, or kept for them by the kernel."""
    running: bool
    """Whether one of them computes."""
    halted: bool
    """Whether all of them are stopped."""
    held: list[str]
    """What they have open and should not: files to write, sockets, doors of the kernel."""


def descendants(pid: int) -> list[int]:
    """The living processes below `pid`, whatever their session; `pid` itself apart."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - names, not paths
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
    pending = re.findall(r"(?:Sig|Shd)Pnd:\s+(\w+)", _text(f"/proc/{pid}/status"))
    killed = any(int(signals, 16) & _KILLED for signals in pending)
    return killed or bool(fields and int(fields[6]) & _EXITING)


def look(pids: Sequence[int], guarded: Iterable[str] = ()) -> Seen:
    """What the processes are and have now.

    Args:
        pids: of the processes.
        guarded: the folders in which they may write nothing.
    """
    stats = [fields for pid in pids if (fields := _stat(pid))]
    files: dict[tuple[int, int], float] = {}
    held: set[str] = set()
    for pid in pids:
        held |= _held(pid, list(guarded), files) | taken(pid)
    return Seen(
        processes=len(stats),
        threads=sum(int(fields[17]) for fields in stats),
        memory_mb=sum(map(_mapped_mb, pids)) + sum(map(kernel_mb, pids)) + sum(files.values()),
        running=any(map(_computes, pids)),
        halted=all(fields[0] in "Tt" for fields in stats),
        held=sorted(held),
    )


def traits(pid: int) -> dict[str, str]:
    """What a process cannot change about itself where it is held in."""
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
    filters = re.search(r"Seccomp_filters:\s+(\d+)", _text(f"/proc/{pid}/status"))
    found["filters of system calls"] = filters.group(1) if filters else ""
    return found


def state(pid: int) -> dict[str, str]:
    """How another process fares: what those who may not touch it cannot change."""
    if not (fields := _stat(pid)) or fields[0] in "ZX":
        return {"life": "over"}
    tracer = re.search(r"TracerPid:\s+(\d+)", _text(f"/proc/{pid}/status"))
    return {
        "life": "stopped" if fields[0] in "Tt" else "going on",
        "tracer": tracer.group(1) if tracer else "0",
        "cores": str(sorted(os.sched_getaffinity(pid))),
        "files": "".join(re.findall("Max open files.*", _text(f"/proc/{pid}/limits"))),
        **{name: traits(pid)[name] for name in ("priority", "scheduler")},
    }


def _held(pid: int, guarded: list[str], files: dict[tuple[int, int], float]) -> set[str]:
    """What a process should not hold; adds to `files` the memory of those without a name, in MB."""
    found: set[str] = set()
    with suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/fd"):  # noqa: PTH208 - names, not paths
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
    with suppress(OSError):
        threads = os.listdir(f"/proc/{pid}/task")  # noqa: PTH208 - names, not paths
        return any(_stat(f"{pid}/task/{thread}")[:1] == ["R"] for thread in threads)
    return False


def _within(path: str, guarded: list[str], device: int) -> str:
    """The guarded folder that holds a file; "" too for the folder's namesake of another world."""
    for folder in guarded:
        if path.startswith(folder + "/") and Path(folder).stat().st_dev == device:
            return folder
    return ""


def _writable(pid: int, name: str) -> bool:
    flags = re.search(r"flags:\s+(\d+)", _text(f"/proc/{pid}/fdinfo/{name}"))
    return flags is not None and int(flags.group(1), 8) & os.O_ACCMODE != os.O_RDONLY


def _socket(pid: int, number: int) -> str:
    """What a socket of a process reaches, in words; nothing if it reaches nobody."""
    try:
        process = os.pidfd_open(pid)
        try:
            copy = ctypes.CDLL(None).syscall(_PIDFD_GETFD, process, number, 0)
        finally:
            os.close(process)
        found = socket.socket(fileno=copy)
    except (OSError, ValueError):
        return ""
    with found:
        return _reach(
            found, alone=traits(pid)["namespace net"] != traits(os.getpid())["namespace net"]
        )


def _reach(found: socket.socket, alone: bool) -> str:
    """What a socket reaches, in words.

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
    found = re.search(r"^Pss:\s+(\d+) kB", _text(f"/proc/{pid}/smaps_rollup"), re.MULTILINE)
    return int(found.group(1)) / 1024 if found else 0.0


def _stat(pid: int | str) -> list[str]:
    """The fields of a process from its state on; none where there is no such process."""
    text = _text(f"/proc/{pid}/stat")
    return text[text.rindex(")") + 2 :].split() if ")" in text else []


def _text(path: str) -> str:
    """A file of the system; nothing if it has gone or is not for us."""
    try:
        with open(path, encoding="latin-1") as file:  # noqa: PTH123 - quicker, for many small files
            return file.read()
    except OSError:
        return ""
