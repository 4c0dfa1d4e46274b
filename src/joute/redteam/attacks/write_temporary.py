"""Leaves files where everybody may write: the folders of temporary files and of shared memory."""

import os
import tempfile

from attempt import attempt, write


def play(observation, clock):
    aim = observation["aim"]
    name = "mine-" + aim["token"]
    return attempt(
        tmp=lambda: write(os.path.join(aim["tmp"], name)),
        var=lambda: write(os.path.join("/var/tmp", name)),
        memory=lambda: write(os.path.join("/dev/shm", name)),
        own=lambda: write(os.path.join(tempfile.gettempdir(), name)),
        home=lambda: write(os.path.join(os.path.expanduser("~"), name)),
    )
