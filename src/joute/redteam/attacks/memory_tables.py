"""Has the kernel make tables of pages: maps much, and looks at one byte of every two megabytes."""

import ctypes

from attempt import attempt, call

STEP, ENTRY = 2 << 20, 4096
ONLY_READ, PRIVATE = 1, 0x22


def play(observation, clock):
    most = observation["aim"]["most_mb"] << 20

    def tables(size):
        start = call("mmap", None, size, ONLY_READ, PRIVATE, -1, 0)
        # Pages of two megabytes would need no tables.
        call("madvise", start, size, 15)
        for at in range(start, start + size, STEP):
            ctypes.c_char.from_address(at).value
        return size >> 20

    size = most // ENTRY * STEP
    answer = attempt(at_once=lambda: tables(size))
    if "ENOMEM" in answer["message"]:
        return attempt(in_pieces=lambda: [tables(4 << 30) for piece in range(size >> 32)])
    return answer
