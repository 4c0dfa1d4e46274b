"""Hides from the referee, which sees by /proc: makes its process one that only root may look at."""

import ctypes
import struct

from attempt import attempt, by_number

SET_DUMPABLE, SET_MEMORY, SET_TRACER, SECURE_BITS = 4, 35, 0x59616D61, 28


def play(observation, clock):
    area = ctypes.create_string_buffer(b"JOUTE_BOT=another\0")
    start = ctypes.addressof(area)

    def control(*arguments):
        return by_number(observation, "prctl", *arguments)

    return attempt(
        undumpable=lambda: control(SET_DUMPABLE, 0, 0, 0, 0),
        environment=lambda: control(SET_MEMORY, 10, start, 0, 0),
        map=lambda: control(SET_MEMORY, 14, struct.pack("=16Q", *[start] * 16), 128, 0),
        tracer=lambda: control(SET_TRACER, -1, 0, 0, 0),
        bits=lambda: control(SECURE_BITS, 1, 0, 0, 0),
    )
