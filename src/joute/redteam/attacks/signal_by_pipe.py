"""Stops another process by a pipe, whose owner is sent a signal when it can be read."""

import fcntl
import os
import signal
import struct

from attempt import attempt

SET_SIGNAL, SET_OWNER_MORE, SET_OWNER_BY_CONTROL = 10, 15, 0x8901


def play(observation, clock):
    decoy = observation["aim"]["decoy"]

    def owned(give):
        out, into = os.pipe()
        try:
            give(out)
            fcntl.fcntl(out, SET_SIGNAL, int(signal.SIGSTOP))
            fcntl.fcntl(out, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
            os.write(into, b".")
        finally:
            os.close(out)
            os.close(into)

    return attempt(
        owner=lambda: owned(lambda end: fcntl.fcntl(end, fcntl.F_SETOWN, decoy)),
        owner_more=lambda: owned(
            lambda end: fcntl.fcntl(end, SET_OWNER_MORE, struct.pack("=ii", 1, decoy))
        ),
        control=lambda: owned(
            lambda end: fcntl.ioctl(end, SET_OWNER_BY_CONTROL, struct.pack("=i", decoy))
        ),
    )
