"""Reads the environment and the command line of the referee, where people keep their passwords."""

import os

from attempt import attempt, cut_out, read


def play(observation, clock):
    aim = observation["aim"]
    mark, referee = aim["mark"], aim["referee"]
    return attempt(
        environment=lambda: cut_out(read(f"/proc/{referee}/environ"), mark),
        command=lambda: cut_out(read(f"/proc/{referee}/cmdline"), mark),
        parent=lambda: cut_out(read(f"/proc/{os.getppid()}/environ"), mark),
        own=lambda: cut_out(repr(dict(os.environ)).encode(), mark),
    )
