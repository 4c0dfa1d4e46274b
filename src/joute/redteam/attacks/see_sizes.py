"""Asks for the sizes of another bot's files, which it may not read."""

import os

from attempt import attempt


def play(observation, clock):
    aim = observation["aim"]

    def sizes(ask):
        names = [os.path.join(aim["other_folder"], f"size-{number}") for number in range(4)]
        return aim["mark"] + "".join(f"{ask(name):04x}" for name in names)

    def opened(name):
        descriptor = os.open(name, os.O_PATH)
        try:
            return os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)

    return attempt(
        stat=lambda: sizes(lambda name: os.stat(name).st_size),
        lstat=lambda: sizes(lambda name: os.lstat(name).st_size),
        path=lambda: sizes(opened),
        root=lambda: sizes(lambda name: os.stat("/proc/self/root" + name).st_size),
    )
