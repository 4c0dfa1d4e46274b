"""System calls that Python has no name for, through ctypes, and their filter; Linux only.

The referee's process makes the programs of the filter; here they are loaded into the kernel.
"""

import ctypes
import os
import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, List

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
SET_NO_NEW_PRIVILEGES = 38
AMBIENT_CAPABILITIES = 47


def call(name: str, *arguments: "Any") -> int:
    """The return value of the function `name` of the C library. Raises OSError if that is -1."""
    result = int(getattr(LIBRARY, name)(*arguments))
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, name + ": " + os.strerror(number))
    return result


def control(option: int, *arguments: int) -> int:
    """The return value of prctl; arguments that are not given are 0. Raises OSError."""
    rest = [ctypes.c_ulong(each) for each in (*arguments, 0, 0, 0, 0)[:4]]
    return call("prctl", option, *rest)


def mount(kind: str, where: str, flags: int, data: str = "") -> None:
    """Mounts a file system on a folder, or changes how `where` is mounted. Raises OSError."""
    words = [word.encode() if word else None for word in (kind, where, kind, data)]
    source, target, filesystem, options = words
    call("mount", source, target, filesystem, ctypes.c_ulong(flags), options)


_LOAD, _JUMP_EQUAL, _RETURN = 0x20, 0x15, 0x06  # instructions of the kernel's packet filter
_NUMBER, _FIRST_ARGUMENT = 0, 16  # offsets in what is filtered
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050001
_MODE_FILTER = 2
_INSTRUCTION_BYTES = 8


def load_filter(program: bytes) -> None:
    """Filters all system calls from here on, for good. Raises OSError."""
    buffer = ctypes.create_string_buffer(program, len(program))
    count = len(program) // _INSTRUCTION_BYTES
    described = struct.pack("HxxxxxxP", count, ctypes.addressof(buffer))
    call(
        "prctl",
        SET_FILTER,
        ctypes.c_ulong(_MODE_FILTER),
        ctypes.c_char_p(described),
        ctypes.c_ulong(0),
        ctypes.c_ulong(0),
    )


def only_own_signals(numbers: "List[int]", pid: int) -> bytes:
    """A program that refuses signals to other processes, where Landlock does not keep them in.

    Args:
        numbers: of the calls that send a signal and name a process first.
        pid: of this process; 0 is its group.
    """
    lines = [(_LOAD, 0, 0, _NUMBER)]
    for at, number in enumerate(numbers):
        # To the test of the argument if it is this call; after the last, to the permission.
        rest = len(numbers) - 1 - at
        lines.append((_JUMP_EQUAL, rest, 0 if rest else 4, number))
    lines += [
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_JUMP_EQUAL, 2, 0, pid),
        (_JUMP_EQUAL, 1, 0, 0),
        (_RETURN, 0, 0, _REFUSE),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("HBBI", *line) for line in lines)
