"""Takes the machine's places for asynchronous input and output, which databases live by."""

import ctypes

from attempt import attempt, by_number


def play(observation, clock):
    def take(many):
        made = ctypes.c_ulong()
        by_number(observation, "io_setup", many, ctypes.byref(made))
        return made.value

    return attempt(one=lambda: take(1), many=lambda: take(128))
