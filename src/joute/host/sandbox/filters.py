"""The filter of system calls, as a program of the kernel's packet filter.

What it allows is in `allowed_calls`; the numbers of the calls are in `call_numbers`.
"""

from __future__ import annotations

import errno
import functools
import platform
import struct
from collections.abc import Mapping

from joute.host.sandbox.allowed_calls import Kind, decisions
from joute.host.sandbox.call_numbers import NUMBERS
from joute.host.sandbox.packet_filter import ALLOWED, Choice, compiled, refused

AUDIT = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""What the kernel calls the programs of a machine; others, as 32-bit ones, make no call at all."""


def machine() -> str:
    """The name of this machine among those that bots can be jailed on; "" if it is none."""
    name = platform.machine()
    return name if name in NUMBERS and struct.calcsize("P") == 8 else ""


@functools.cache
def program(network: bool, children: bool) -> bytes:
    """The program to load, which every call of a bot passes through.

    Args:
        network: whether TCP sockets may be made.
        children: whether processes may be started, and not only threads.

    Raises OSError on a machine whose calls have no table.
    """
    name = machine()
    if not name:
        raise OSError(errno.ENOSYS, f"no table of system calls for {platform.machine()}")
    return program_for(name, Kind(network, children))


def program_for(name: str, kind: Kind) -> bytes:
    """The program for a kind of bots on a machine of NUMBERS."""
    numbers = NUMBERS[name]
    decided = {numbers[call]: it for call, it in decisions(kind).items() if call in numbers}
    # A call in the tables that nobody has judged is refused as those are that nobody knows.
    return compiled(AUDIT[name], decided, refused(errno.ENOSYS))


def counted(name: str) -> int:
    """How many calls of a machine of NUMBERS a Python bot may make, if with some arguments only."""
    decided = decisions(Kind(network=False, children=False))
    passing = [call for call, it in decided.items() if it == ALLOWED or isinstance(it, Choice)]
    return sum(call in NUMBERS[name] for call in passing)


def signal_calls() -> tuple[int, ...]:
    """The numbers of the calls that send a signal and name a process first."""
    numbers: Mapping[str, int] = NUMBERS.get(machine(), {})
    return tuple(numbers[name] for name in ("kill", "tgkill") if name in numbers)
