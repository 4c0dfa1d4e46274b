"""Takes memory of the kernel's: fills pipes that nobody reads, made as long as they can be."""

import fcntl
import os

from attempt import attempt

LONGEST, PIPES = 1 << 20, 400
_kept, _written = [], []


def play(observation, clock):
    most = observation["aim"]["most_mb"] << 20
    piece = bytes(1 << 16)

    def fill(length):
        written = 0
        for _ in range(PIPES):
            out, into = os.pipe()
            _kept.extend((out, into))
            os.set_blocking(into, False)
            if length:
                fcntl.fcntl(into, fcntl.F_SETPIPE_SZ, length)
            try:
                while sum(_written) + written < most:
                    written += os.write(into, piece)
            except BlockingIOError:
                pass
        _written.append(written)
        return written >> 20

    return attempt(longest=lambda: fill(LONGEST), usual=lambda: fill(0))
