"""Takes memory as files that have no name and lie in no folder."""

import os

from attempt import attempt

_kept = []


def play(observation, clock):
    most = observation["aim"]["most_mb"]

    def files():
        for number in range(most // 32):
            descriptor = os.memfd_create("store")
            _kept.append(descriptor)
            for piece in range(8):
                os.write(descriptor, b"x" * (4 << 20))

    return attempt(files=files)
