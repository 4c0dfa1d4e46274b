"""Calls of the system that Python has no name for, through ctypes; Linux only."""

import ctypes
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LIBRARY = ctypes.CDLL(None, use_errno=True)

NEW_USER = 0x10000000
NEW_MOUNTS = 0x00020000
NEW_NETWORK = 0x40000000
NEW_MESSAGES = 0x08000000
NEW_NAMES = 0x04000000
NEW_GROUPS = 0x02000000
NEW_PROCESSES = 0x20000000

MOUNT_READ_ONLY = 1
MOUNT_NO_SETUID = 2
MOUNT_NO_DEVICES = 4
MOUNT_BIND = 1 << 12
MOUNT_RECURSIVE = 1 << 14
MOUNT_PRIVATE = 1 << 18

SET_PARENT_DEATH_SIGNAL = 1
SET_DUMPABLE = 4
SET_KEEP_CAPABILITIES = 8
SET_FILTER = 22
DROP_CAPABILITY = 24
SET_CHILD_SUBREAPER = 36
SET_NO_NEW_PRIVILEGES = 38
AMBIENT_CAPABILITIES = 47


def call(name: str, *arguments: "Any") -> int:
    """What the function `name` of the C library returns. Raises OSError if that is -1."""
    result = int(getattr(LIBRARY, name)(*arguments))
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, name + ": " + os.strerror(number))
    return result


def control(option: int, *arguments: int) -> int:
    """What prctl returns; arguments that are not given are 0. Raises OSError."""
    rest = [ctypes.c_ulong(each) for each in (*arguments, 0, 0, 0, 0)[:4]]
    return call("prctl", option, *rest)


def mount(kind: str, where: str, flags: int, data: str = "") -> None:
    """Mounts a file system on a folder, or changes how `where` is mounted. Raises OSError."""
    words = [word.encode() if word else None for word in (kind, where, kind, data)]
    source, target, filesystem, options = words
    call("mount", source, target, filesystem, ctypes.c_ulong(flags), options)
