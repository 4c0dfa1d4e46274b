"""The filter of system calls: loads the programs that the referee's process has made."""

import ctypes
import struct

from .system import SET_FILTER, call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import List

_LOAD, _JUMP_EQUAL, _RETURN = 0x20, 0x15, 0x06  # instructions of the kernel's packet filter
_NUMBER, _FIRST_ARGUMENT = 0, 16  # offsets in what is filtered
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050001
_MODE_FILTER = 2
_INSTRUCTION_BYTES = 8


def load(program: bytes) -> None:
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
