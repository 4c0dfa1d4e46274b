"""The kernel's packet filter, in Python: what a program answers to a system call."""

import struct

from joute.host.sandbox.packet_filter import ALLOWED

EPERM, ENOSYS, ENOTSUP = 1, 38, 95


def instructions(program):
    return [struct.unpack_from("HBBI", program, at) for at in range(0, len(program), 8)]


def answer(lines, machine, number, arguments=()):
    """The errno with which a call is refused; None where it passes."""
    padded = [*arguments, 0, 0, 0, 0, 0, 0][:6]
    words = struct.pack("<iIQ6Q", number, machine, 0, *(each % (1 << 64) for each in padded))
    at = value = 0
    while True:
        code, if_true, if_false, constant = lines[at]
        at += 1
        if code == 0x20:
            [value] = struct.unpack_from("<I", words, constant)
        elif code == 0x54:
            value &= constant
        elif code == 0x05:
            at += constant
        elif code in (0x15, 0x35):
            holds = value == constant if code == 0x15 else value >= constant
            at += if_true if holds else if_false
        elif code == 0x06:
            if constant == ALLOWED:
                return None
            assert constant >> 16 == 5, hex(constant)
            return constant & 0xFFFF
        else:
            raise AssertionError(f"no instruction {code:#x}")
