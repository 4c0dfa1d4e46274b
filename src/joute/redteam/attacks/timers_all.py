"""Takes the timers of its user, of which all programs of that user together have so many."""

import ctypes
import resource
import struct

from attempt import attempt, by_number


def play(observation, clock):
    # Signals that wait are counted with them.
    event = ctypes.create_string_buffer(struct.pack("=Qii48x", 0, 34, 0))

    def take():
        made = ctypes.c_int()
        for number in range(200):
            by_number(observation, "timer_create", 1, event, ctypes.byref(made))
        return number

    def widen():
        hard = resource.getrlimit(resource.RLIMIT_SIGPENDING)[1]
        resource.setrlimit(resource.RLIMIT_SIGPENDING, (hard, hard))
        return take()

    return attempt(take=take, widen=widen)
