"""The process in which attacks are hosted: it stands for a referee, with secrets of its own.

Run as `python -m joute.redteam.stage SECRET`, with an order a line on its standard input. Each is
carried out by a copy of this process, which an attack may kill: whatever the attack leaves behind
becomes a child of ours, is counted and ended.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time
from contextlib import suppress

import msgspec

from joute.host.clock import Crowd
from joute.host.zygote import dismiss
from joute.redteam.hosting import Hosting
from joute.redteam.messages import Order, Outcome, Report
from joute.redteam.watch import descendants, doomed

_PR_SET_CHILD_SUBREAPER = 36
_HUNG_SECONDS = 12.0
"""Longer on a machine where others want to run."""
_LOOK_SECONDS = 0.25
# The issue of a killed referee: none of its bots runs a second later.
_GRACE_SECONDS = 1.0


def main() -> None:
    """Carries out orders until there are no more."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    for line in sys.stdin.buffer:
        outcome = carry_out(msgspec.json.decode(line, type=Order))
        sys.stdout.buffer.write(msgspec.json.encode(outcome) + b"\n")
        sys.stdout.buffer.flush()


def carry_out(order: Order) -> Outcome:
    """What came of one attack, when nothing of it is left."""
    ours, theirs = os.pipe()
    host = os.fork()
    if host == 0:
        os.close(ours)
        _host(order, theirs)
    os.close(theirs)
    data, hung = _read(ours)
    os.close(ours)
    orphaned = order.staging == "orphan" and bool(data)
    if hung or orphaned:
        os.kill(host, signal.SIGKILL)
    _, status = os.waitpid(host, 0)
    killed = os.WIFSIGNALED(status)
    end = "hung" if hung else "killed" if killed and not orphaned else "done"
    survivors = _survivors(_GRACE_SECONDS if killed else 0.0)
    _end_all()
    report = msgspec.json.decode(data, type=Report) if data else Report()
    return Outcome(report=report, end=end, survivors=survivors)


def _host(order: Order, out: int) -> None:
    """The copy's life. It waits to be killed where the attack is to outlive it."""
    os.setpgid(0, 0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    hosting = Hosting(order)
    report = hosting.run()
    data = msgspec.json.encode(report) + b"\n"
    while data:
        data = data[os.write(out, data) :]
    if order.staging == "orphan":
        signal.pause()
    dismiss()
    os._exit(0)


def _read(pipe: int) -> tuple[bytes, bool]:
    """A host's report, and whether it did not come in time; nothing of a host that died."""
    data, began, crowd = b"", time.monotonic(), Crowd(os.getpid())
    while not data.endswith(b"\n"):
        if not select.select([pipe], [], [], _LOOK_SECONDS)[0]:
            crowd.look()
            if time.monotonic() - began > _HUNG_SECONDS * (1 + crowd.waiting()):
                return b"", True
            continue
        chunk = os.read(pipe, 1 << 16)
        if not chunk:
            return b"", False
        data += chunk
    return data, False


def _survivors(grace: float) -> int:
    """How many processes are left after so many seconds, or as soon as there are none."""
    deadline = time.monotonic() + grace
    while (count := _living()) and time.monotonic() < deadline:
        select.select([], [], [], 0.02)
    return count


def _living() -> int:
    """How many processes are below us; what was killed is only waiting for a core."""
    return sum(not doomed(pid) for pid in descendants(os.getpid()))


def _end_all() -> None:
    """Ends whatever is below us: all of it comes from the attack."""
    while found := descendants(os.getpid()):
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        _reap()
    _reap()


def _reap() -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


if __name__ == "__main__":
    main()
