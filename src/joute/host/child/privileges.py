"""What the user who started us may do, and a bot may not."""

import ctypes
import os
import struct

from .system import (
    AMBIENT_CAPABILITIES,
    DROP_CAPABILITY,
    SET_DUMPABLE,
    SET_KEEP_CAPABILITIES,
    SET_NO_NEW_PRIVILEGES,
    call,
    control,
)

_HEADER = struct.pack("=Ii", 0x20080522, 0)  # version 3, this process
_LAST_CAPABILITY = 63
_IGNORE_OWNERS = 1  # CAP_DAC_OVERRIDE
_RAISE = 2  # for PR_CAP_AMBIENT
_FIRST_NUMBER = 0x70000000  # beyond those of people and of containers
_NUMBERS = 1 << 28


def become_nobody() -> bool:
    """Takes, as root, a user's number that nobody else has; whether it did.

    The kernel counts no processes of root's, and root owns files. Paths are left to Landlock, so
    that bots may lie in root's own folders.
    """
    if os.geteuid() != 0:
        return False
    number = _FIRST_NUMBER + int.from_bytes(os.urandom(4), "big") % _NUMBERS
    try:
        # Before the change of user, which takes the right to.
        _narrow(1 << _IGNORE_OWNERS)
        control(SET_KEEP_CAPABILITIES, 1)
        os.setgroups([])
        os.setresgid(number, number, number)
        os.setresuid(number, number, number)
    except OSError:
        return False
    return True


def drop(keep_paths: bool) -> None:
    """Gives up every capability, now and for whatever is executed.

    Args:
        keep_paths: whether files can be reached whoever owns them.

    Raises OSError.
    """
    kept = 1 << _IGNORE_OWNERS if keep_paths else 0
    _narrow(kept)
    low = struct.pack("=III", kept, kept, kept)
    call("capset", ctypes.c_char_p(_HEADER), ctypes.c_char_p(low + bytes(12)))
    if keep_paths:
        control(AMBIENT_CAPABILITIES, _RAISE, _IGNORE_OWNERS)
    control(SET_NO_NEW_PRIVILEGES, 1)
    # Another user's number makes /proc/self root's.
    control(SET_DUMPABLE, 1)


def _narrow(kept: int) -> None:
    """Takes out of this process's reach, for good, the capabilities that are not in `kept`.

    Where it may not, nothing that it executes gives it any, because of no_new_privs.
    """
    for number in range(_LAST_CAPABILITY + 1):
        if not kept >> number & 1:
            try:
                control(DROP_CAPABILITY, number)
            except OSError:
                break  # beyond the last, or without the right to
