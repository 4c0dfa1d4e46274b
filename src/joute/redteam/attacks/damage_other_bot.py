"""Spoils another bot's file: empties it, renames it, removes it, takes away its rights."""

import os

from attempt import attempt


def play(observation, clock):
    aim = observation["aim"]
    path = aim["other_bot"]
    return attempt(
        empty=lambda: os.truncate(path, 0),
        append=lambda: os.open(path, os.O_WRONLY | os.O_APPEND),
        rename=lambda: os.rename(path, path + ".old"),
        link=lambda: os.link(path, os.path.join(aim["own_folder"], "mine-" + aim["token"])),
        remove=lambda: os.unlink(aim["other_file"]),
    )
