"""Takes in each of several children as much memory as one process may."""

import os

from attempt import attempt, linger

CHILDREN = 6


def play(observation, clock):
    most = observation["aim"]["memory_mb"] // 2 << 20

    def share():
        ready, told = os.pipe()
        for number in range(CHILDREN):
            if os.fork() == 0:
                hoard = b"x" * most
                os.write(told, b".")
                linger(20)
                os._exit(len(hoard) & 1)
        os.close(told)
        for number in range(CHILDREN):
            os.read(ready, 1)

    return attempt(children=share)
