"""Computes in a child that goes on living, whose time its own clock does not show."""

import os
import select

from attempt import attempt, burn


def play(observation, clock):
    def child():
        ready, told = os.pipe()
        if os.fork() == 0:
            burn(0.2)
            os.write(told, b".")
            select.select([], [], [], 20)
            os._exit(0)
        os.read(ready, 1)

    return attempt(child=child)
