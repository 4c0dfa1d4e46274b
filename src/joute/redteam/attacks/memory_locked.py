"""Keeps memory from being given to others when it gets short: locks it, takes huge pages."""

import ctypes

from attempt import attempt, by_number, call

PRIVATE, LOCKED, HUGE = 0x22, 0x2000, 0x40000


def play(observation, clock):
    size = 4 << 20
    area = ctypes.create_string_buffer(size)

    return attempt(
        lock=lambda: call("mlock", ctypes.addressof(area), size),
        lock_later=lambda: by_number(observation, "mlock2", ctypes.addressof(area), size, 1),
        lock_all=lambda: call("mlockall", 2),
        locked=lambda: call("mmap", None, size, 3, PRIVATE | LOCKED, -1, 0),
        huge=lambda: call("mmap", None, size, 3, PRIVATE | HUGE, -1, 0),
    )
