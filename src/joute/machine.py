"""The machine's resources: objects that hold them until closed, and errors of their shortage.

A failure for want of a resource is the machine's alone: no bot is charged for it, and the command
that met it can be given again once there is more.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import Self

from joute.errors import Error

DISK = "disk"
READ_ONLY = "read-only"
DESCRIPTORS = "descriptors"
PROCESSES = "processes"
MEMORY = "memory"

_BY_NUMBER = {
    errno.ENOSPC: DISK,
    errno.EDQUOT: DISK,
    errno.EFBIG: DISK,
    errno.EROFS: READ_ONLY,
    errno.EMFILE: DESCRIPTORS,
    errno.ENFILE: DESCRIPTORS,
    errno.EAGAIN: PROCESSES,
    errno.ENOMEM: MEMORY,
}
_NO_THREAD = "can't start new thread"

OWN_PYTHON = (sys.executable, "-P")
"""The first words of a process that executes Joute. It imports nothing from the folder where it is
started: a bot may lie there, in a file with the name of a module of Python's."""


class Closing:
    """Holds files, processes or connections that a `with` block lets go of in the end."""

    def close(self) -> object:
        """Lets go of everything; done twice, the second does nothing."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class ShortageError(Error, RuntimeError):
    """The machine has run out of a resource; the same command goes on when there is more."""

    def __init__(self, kind: str, where: str = "") -> None:
        """One of the kinds above; `where` names the file or the folder, if there is one."""
        super().__init__(f"{where}: " * bool(where) + f"the machine is short of: {kind}")
        self.kind = kind
        self.where = where

    def __reduce__(self) -> tuple[type[ShortageError], tuple[str, str]]:
        """Travels between processes."""
        return type(self), (self.kind, self.where)


def shortage(error: BaseException | int | None) -> str | None:
    """The resource that an error, or an `errno`, says there is too little of; None for others."""
    if isinstance(error, ShortageError):
        return error.kind
    if isinstance(error, MemoryError):
        return MEMORY
    if isinstance(error, RuntimeError) and _NO_THREAD in str(error):
        return PROCESSES
    number = error.errno if isinstance(error, OSError) else error
    return _BY_NUMBER.get(number) if isinstance(number, int) else None


def shortage_in(words: str) -> str | None:
    """The resource that the last words of a program of ours name, in the system's English."""
    for number, kind in _BY_NUMBER.items():
        if os.strerror(number) in words:
            return kind
    return MEMORY if "MemoryError" in words else PROCESSES if _NO_THREAD in words else None


def lift_descriptors() -> None:
    """Raises the limit on open files as far as this process may."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (OSError, ValueError):  # some systems allow less than they say
            return
