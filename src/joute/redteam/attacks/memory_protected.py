"""Fills memory and then protects it from being written, so that the limit counts it no longer."""

import ctypes

from attempt import attempt, call

PIECE = 8 << 20
WRITE, ONLY_READ, PRIVATE = 3, 1, 0x22


def play(observation, clock):
    most = observation["aim"]["most_mb"] << 20

    def pieces(protection):
        for _ in range(most // PIECE):
            start = call("mmap", None, PIECE, WRITE, PRIVATE, -1, 0)
            ctypes.memset(start, 1, PIECE)
            call("mprotect", start, PIECE, protection)

    return attempt(readable=lambda: pieces(ONLY_READ))
