"""Control groups: one for a bot of level `full`, which holds all its processes together.

Elsewhere the limit of memory is each process's own, and a bot of many takes it as often. Used where
version 2 lets this user make groups beside its own, and where a canary is held by them: on a system
run by systemd that is so for root, and for others in what `systemd-run --user --scope` starts.

Source: the kernel's Documentation/admin-guide/cgroup-v2.rst.
"""

from __future__ import annotations

import functools
import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_MOUNTS = Path("/proc/self/mounts")
_OWN = Path("/proc/self/cgroup")
_NEEDED = {"memory", "pids"}
_PREFIX = "joute"
_GONE_SECONDS = 0.05
"""Between the end of a bot's processes and that of its group; what is slower is looked at again."""

_CANARY = f"""
import os, sys
sys.stdin.read()
try:
    os.fork()
except BlockingIOError:
    print(len(b"x" * ({64 << 20})))
"""
_CANARY_SECONDS = 20.0

_numbers = itertools.count()
_slow: list[Path] = []  # Groups that are still to be removed


class Share(NamedTuple):
    """The memory and the processes that all processes of a bot may take together."""

    memory_bytes: int  # Of memory, the files of their scratch folder among it
    processes: int  # Threads included


class ControlGroup:
    """A control group of one bot."""

    def __init__(self, ground: Path, share: Share) -> None:
        """Makes it; nobody is in it. Raises OSError.

        Args:
            ground: the folder to make it in, as `ground` gives it.
            share: what it limits its processes to.
        """
        _slow[:] = [each for each in _slow if not _removed(each)]
        self.path = ground / f"{_PREFIX}-{os.getpid()}-{next(_numbers)}"
        self.path.mkdir()
        try:
            self._set("memory.max", str(share.memory_bytes))
            self._set("pids.max", str(share.processes))
            with suppress(OSError):  # where there is no swap to be limited
                self._set("memory.swap.max", "0")
            self._set("memory.oom.group", "1")
        except OSError:
            self.close()
            raise

    def take(self, pid: int) -> None:
        """Takes a process in, and all that it starts from then on. Raises OSError."""
        if str(pid) not in (self.path / "cgroup.procs").read_text("ascii").split():
            self._set("cgroup.procs", str(pid))

    def cpu_seconds(self) -> float:
        """The CPU that its processes have used, those that have ended included; 0 if unknown."""
        with suppress(OSError, ValueError):
            words = (self.path / "cpu.stat").read_text("ascii").split()
            return int(words[words.index("usage_usec") + 1]) / 1e6
        return 0.0

    def freeze(self, frozen: bool) -> None:
        """Has its processes stand still whatever they are sent, or go on; from Linux 5.2 on."""
        with suppress(OSError):
            self._set("cgroup.freeze", "1" if frozen else "0")

    def exhausted(self) -> bool:
        """Whether its processes were ended because they took too much memory."""
        with suppress(OSError):
            events = (self.path / "memory.events").read_text("ascii").split()
            return events[events.index("oom_kill") + 1] != "0"
        return False

    def close(self) -> None:
        """Ends what is in it, and removes it, now or with the next that is made."""
        with suppress(OSError):  # only from Linux 5.14 on
            self._set("cgroup.kill", "1")
        deadline = time.monotonic() + _GONE_SECONDS
        while not (gone := _removed(self.path)) and time.monotonic() < deadline:
            time.sleep(0.001)
        if not gone:
            _slow.append(self.path)

    def _set(self, name: str, value: str) -> None:
        (self.path / name).write_text(value, "ascii")


@functools.cache
def ground() -> Path | None:
    """The folder where groups can be made and hold their processes; None where there is none.

    Found once; that takes a tenth of a second.
    """
    for folder in _candidates():
        sweep(folder)
        with suppress(OSError, subprocess.SubprocessError):
            if _holds(folder):
                return folder
    return None


def sweep(folder: Path) -> None:
    """Removes the groups that a process has left which was killed; not those with a bot in them."""
    for left in folder.glob(f"{_PREFIX}-*-*"):
        maker = left.name.split("-")[1]
        if maker.isdigit() and not Path("/proc", maker).exists():
            _removed(left)


def _removed(folder: Path) -> bool:
    """Whether a group is no longer there; it goes only when nobody is in it."""
    try:
        folder.rmdir()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _candidates() -> Iterator[Path]:
    """Folders whose groups have limits: this process's own, or the one that this lies in.

    A group with processes in it and limits for groups below it is only the machine's first.
    """
    own = _own()
    for folder in (own, own.parent) if own is not None else ():
        with suppress(OSError):
            limited = (folder / "cgroup.subtree_control").read_text("ascii").split()
            mine = os.access(folder, os.W_OK) and os.access(folder / "cgroup.procs", os.W_OK)
            if mine and set(limited) >= _NEEDED:
                yield folder


def _own() -> Path | None:
    """The folder of the group that this process is in; None without version 2 of groups."""
    with suppress(OSError):
        mounts = [line.split() for line in _MOUNTS.read_text("utf-8").splitlines()]
        root = next((words[1] for words in mounts if words[2] == "cgroup2"), None)
        lines = _OWN.read_text("utf-8").splitlines()
        path = next((line[3:] for line in lines if line.startswith("0::")), "")
        # A group outside of a container's own groups shows as `..`.
        if root is not None and path.startswith("/") and ".." not in path:
            return Path(root + path)
    return None


def _holds(folder: Path) -> bool:
    """Whether a canary in a group can neither start a process nor take more than it may."""
    group = ControlGroup(folder, Share(memory_bytes=32 << 20, processes=1))
    try:
        with subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _CANARY],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as canary:
            try:
                group.take(canary.pid)
                said, _ = canary.communicate(timeout=_CANARY_SECONDS)
            finally:
                canary.kill()
        return (canary.returncode, said) == (-signal.SIGKILL, b"") and group.exhausted()
    finally:
        group.close()
