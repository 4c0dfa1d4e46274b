"""Takes memory on the stack of its first thread, which the limit on writable memory leaves out."""

import ctypes
import resource

from attempt import attempt

SOME, PAGE = 4 << 20, 4096


def play(observation, clock):
    most = observation["aim"]["most_mb"] << 20
    infinite = resource.RLIM_INFINITY

    def grow():
        here = end()
        taken = 0
        # Downwards in steps; where the limit is, the step before is the last that is tried.
        room = min(most, resource.getrlimit(resource.RLIMIT_STACK)[0] - (2 << 20))
        while taken + SOME <= room:
            taken += SOME
            for at in range(0, SOME, PAGE):
                ctypes.memset(here - taken + at, 1, 8)
        return taken >> 20

    return attempt(
        limit=lambda: resource.setrlimit(resource.RLIMIT_STACK, (infinite, infinite)),
        most=lambda: resource.setrlimit(
            resource.RLIMIT_STACK, (most, resource.getrlimit(resource.RLIMIT_STACK)[1])
        ),
        grow=grow,
    )


def end():
    """The lowest address of the stack."""
    with open("/proc/self/maps") as file:
        [line] = [line for line in file if line.endswith("[stack]\n")]
    return int(line.split("-")[0], 16)
