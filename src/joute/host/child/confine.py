"""Limits that a process sets on itself before any of the bot's code is read."""

import os
import resource
import signal
import sys

FILE_BYTES = 64 << 20  # The longest file that a bot may write
STACK_BYTES = 8 << 20
"""Of the first thread, which the limit on writable memory does not count; the usual size."""
ADDRESS_BYTES = 16 << 30
"""Of all that is mapped, besides the writable memory.

Java, Node.js and PyTorch for graphics cards reserve up to 11 GiB that they do not use. The kernel
keeps 8 bytes for each page that was looked at, which makes 32 MiB of that.
"""

_PENDING_SIGNALS = 64  # enough to end threads, which waits in the queue
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def confine(memory_mb: int) -> None:
    """Limits this process and ties it to its parent.

    Args:
        memory_mb: MiB of writable memory; 0 for no limit.
    """
    die_with_parent()
    # Inherited as ignored, it would have the time of children forgotten.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_FSIZE, FILE_BYTES)
    if memory_mb > 0:
        # Unlike the whole address space, this does not count what is mapped but never writable.
        lower(resource.RLIMIT_DATA, memory_mb << 20)
        if sys.platform.startswith("linux"):
            lower(resource.RLIMIT_STACK, STACK_BYTES)
            lower(resource.RLIMIT_AS, ADDRESS_BYTES + (memory_mb << 20))


def give_up_reserves() -> None:
    """On Linux, takes nothing of what all processes of a user or of the machine have in common."""
    lower(resource.RLIMIT_MEMLOCK, 0)
    lower(resource.RLIMIT_MSGQUEUE, 0)
    lower(resource.RLIMIT_NICE, 0)
    lower(resource.RLIMIT_RTPRIO, 0)
    lower(resource.RLIMIT_SIGPENDING, _PENDING_SIGNALS)


def lower(kind: int, value: int) -> None:
    """Sets a limit, soft and hard, unless a lower one holds already."""
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    resource.setrlimit(kind, (value, value))


def die_with_parent() -> None:
    """On Linux: killed when the thread that started us ends; orphans below us become ours.

    As the reaper of its orphans, a bot cannot lose a process that it started out of the referee's
    sight while it lives.
    """
    if not sys.platform.startswith("linux"):
        return
    try:
        import ctypes

        system = ctypes.CDLL(None, use_errno=True)
    except (ImportError, OSError):
        return  # an interpreter without ctypes; the referee's own clean-up remains
    system.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    system.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # The parent may have gone before the first of these calls, and no signal would come.
    if os.environ.get("JOUTE_PARENT", str(os.getppid())) != str(os.getppid()):
        os._exit(1)
