"""The bounds of one case: CPU seconds, memory, open files.

CPU and not the clock on the wall, so that a busy machine finds no bugs that are not there; the
clock interrupts only what waits for something that never comes, and late. What hangs where Python
takes no signals (in a kernel, in a library) is ended by the system a little later, and reported by
the process that watches (`__main__.py`).
"""

from __future__ import annotations

import resource
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

MEMORY_BYTES = 1 << 30
"""That a case may take beyond what its process had."""
_TO_THE_END = 3.0  # times the CPU seconds, until the process is ended
WAITED = 30.0  # times the CPU seconds, on the wall, until a case is interrupted
_OPEN = Path("/proc/self/fd")


class TooSlow(BaseException):
    """Raised in the middle of a case; not an Exception, so that nobody handles it by mistake."""


class SlowError(Exception):
    """A case that took too long, and again when it was repeated."""


class LeftOpenError(Exception):
    """A case after which more files are open than before, and again when it was repeated."""


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Bounds what runs inside. Raises TooSlow or MemoryError there; main thread only."""
    usual = [(each, signal.signal(each, _too_slow)) for each in (signal.SIGPROF, signal.SIGALRM)]
    least, most = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (_data_bytes() + MEMORY_BYTES, most))
    signal.setitimer(signal.ITIMER_PROF, seconds, 1.0)
    signal.setitimer(signal.ITIMER_REAL, seconds * WAITED, 1.0)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds * _TO_THE_END)  # unhandled, it ends the process
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        for number, handler in usual:
            signal.signal(number, handler)
        resource.setrlimit(resource.RLIMIT_DATA, (least, most))


def open_files() -> int:
    """The number of files that this process has open."""
    return sum(1 for _ in _OPEN.iterdir())


def _too_slow(number: int, frame: FrameType | None) -> None:
    raise TooSlow


def _data_bytes() -> int:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5])
    return pages * resource.getpagesize()
