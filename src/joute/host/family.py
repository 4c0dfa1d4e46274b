"""Ends a bot's process with everything that it has started.

Found are, on Linux: whatever descends from the bot (as the reaper of its orphans it keeps even
those whose parent has gone), whatever is in its session, and whatever carries its tag in the
environment. Elsewhere only its process group.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from joute.host.descendants import read

# A fork bomb may need several rounds; a slot must be free within half a second.
_SECONDS = 0.3


class _Process(NamedTuple):
    state: str
    parent: int
    session: int
    began: int
    """Clock ticks since the machine started."""


def end_family(pid: int, tag: str) -> None:
    """Kills the bot `pid` and its family.

    Args:
        pid: a child of ours, not yet waited for, that leads a session of its own.
        tag: the value of its JOUTE_BOT.
    """
    # Stopped, it starts nothing while we look, and stays the parent of what it has started.
    signal_group(pid, signal.SIGSTOP)
    deadline = time.monotonic() + _SECONDS
    while (others := relatives(pid, tag)) and time.monotonic() < deadline:
        for other in others:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(other, signal.SIGKILL)
    signal_group(pid, signal.SIGKILL)


def signal_group(pid: int, number: int) -> None:
    """Sends a signal to all processes of the group that `pid` leads."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def relatives(pid: int, tag: str) -> set[int]:
    """The living processes of the family of `pid`, itself apart."""
    processes = _processes()
    if pid not in processes:
        return set()
    began = processes[pid].began
    mark = b"JOUTE_BOT=" + tag.encode()
    family = {pid}
    # Only what is younger can descend from it: few enough to look at closely.
    younger = {p: it for p, it in processes.items() if it.began >= began and p != pid}
    for other, process in younger.items():
        if process.session == pid or _carries(other, mark):
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


def _carries(pid: int, mark: bytes) -> bool:
    return mark in _read(f"/proc/{pid}/environ").split(b"\0")


def _read(path: str) -> bytes:
    """The bytes of a small file of the system; none if it has gone or is not for us."""
    try:
        return read(path)
    except OSError:
        return b""
