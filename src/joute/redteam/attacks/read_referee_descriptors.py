"""Opens what the referee has open: its files by /proc, or a copy of its descriptors."""

import os

from attempt import attempt, cut_out, read, system_call


def play(observation, clock):
    aim = observation["aim"]
    folder = f"/proc/{aim['referee']}/fd"

    def stolen():
        process = os.pidfd_open(aim["referee"])
        copy = system_call("pidfd_getfd", process, aim["descriptor"], 0)
        return cut_out(os.pread(copy, 4096, 0), aim["mark"])

    return attempt(
        list=lambda: os.listdir(folder),
        open=lambda: cut_out(read(f"{folder}/{aim['descriptor']}"), aim["mark"]),
        copy=stolen,
        inherited=lambda: cut_out(inherited(), aim["mark"]),
    )


def inherited():
    """What can be read of the descriptors that were left open for us."""
    data = b""
    for descriptor in range(3, 200):
        try:
            data += os.pread(descriptor, 4096, 0)
        except OSError:
            continue
    return data
