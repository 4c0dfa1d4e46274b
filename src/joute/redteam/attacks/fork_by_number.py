"""Starts processes by every call that starts one, known by its number, until it may no more."""

import ctypes
import os
import struct

from attempt import attempt, by_number, linger

SIGCHLD, PARENTS = 17, 0x8000

_started = []


def play(observation, clock):
    most = observation["aim"]["most_processes"]
    words = ctypes.create_string_buffer(struct.pack("=8Q", 0, 0, 0, 0, SIGCHLD, 0, 0, 0))

    def bomb(start):
        while len(_started) < most:
            number = start()
            if number:
                _started.append(number)
            else:
                linger(20)
                os._exit(0)
        return len(_started)

    return attempt(
        clone=lambda: bomb(lambda: by_number(observation, "clone", SIGCHLD, 0, 0, 0, 0)),
        clone3=lambda: bomb(lambda: by_number(observation, "clone3", words, 64)),
        sibling=lambda: bomb(
            lambda: by_number(observation, "clone", SIGCHLD | PARENTS, 0, 0, 0, 0)
        ),
        silent=lambda: bomb(lambda: by_number(observation, "clone", 0, 0, 0, 0, 0)),
        fork=lambda: bomb(lambda: by_number(observation, "fork")),
    )
