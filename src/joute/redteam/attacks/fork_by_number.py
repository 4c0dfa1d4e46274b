"""Starts processes by every call that starts one, known by its number, until it may no more."""

import ctypes
import os
import struct

from attempt import attempt, by_number, linger

SIGCHLD, SAME_MEMORY, UNTIL_EXEC, PARENTS = 17, 0x100, 0x4000, 0x8000


def play(observation, clock):
    most = observation["aim"]["most_processes"]
    words = ctypes.create_string_buffer(struct.pack("=8Q", 0, 0, 0, 0, SIGCHLD, 0, 0, 0))

    def bomb(start):
        for number in range(most):
            if start() == 0:
                linger(20)
                os._exit(0)
        return most

    return attempt(
        clone=lambda: bomb(lambda: by_number(observation, "clone", SIGCHLD, 0, 0, 0, 0)),
        clone3=lambda: bomb(lambda: by_number(observation, "clone3", words, 64)),
        sibling=lambda: bomb(
            lambda: by_number(observation, "clone", SIGCHLD | PARENTS, 0, 0, 0, 0)
        ),
        silent=lambda: bomb(lambda: by_number(observation, "clone", 0, 0, 0, 0, 0)),
        fork=lambda: bomb(lambda: by_number(observation, "fork")),
    )
