"""Fills the disk, wherever it may write, up to twice what it may."""

import os
import tempfile

from attempt import attempt

_kept = []


def play(observation, clock):
    aim = observation["aim"]

    def fill(folder):
        for number in range(8):
            path = os.path.join(folder, f"fill-{aim['token']}-{number}")
            with open(path, "wb", 0) as file:
                for piece in range(aim["file_mb"] // 4):
                    file.write(b"x" * (1 << 20))

    def hidden(folder):
        descriptor = os.open(folder, os.O_TMPFILE | os.O_RDWR)
        _kept.append(descriptor)
        os.posix_fallocate(descriptor, 0, 2 * aim["file_mb"] << 20)

    return attempt(
        own=lambda: fill(aim["own_folder"]),
        tmp=lambda: fill(aim["tmp"]),
        given=lambda: fill(tempfile.gettempdir()),
        hidden=lambda: hidden(aim["own_folder"]),
    )
