"""Asks when another bot's file was written and read, which it may not read."""

import os

from attempt import attempt

QUARTER = 10**9 // 4  # of a second, in nanoseconds


def play(observation, clock):
    aim = observation["aim"]

    def times(path):
        written = (os.stat(f"{path}-{number}").st_mtime_ns for number in range(2))
        return aim["mark"] + "".join(f"{each // QUARTER:08x}" for each in written)

    return attempt(
        stat=lambda: times(aim["stamped"]),
        root=lambda: times("/proc/self/root" + aim["stamped"]),
        above=lambda: times("/.." + aim["stamped"]),
    )
