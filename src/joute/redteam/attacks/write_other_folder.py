"""Puts a file into another bot's folder and into the contest's."""

import os

from attempt import attempt, write


def play(observation, clock):
    aim = observation["aim"]
    name = "mine-" + aim["token"]
    return attempt(
        other=lambda: write(os.path.join(aim["other_folder"], name)),
        contest=lambda: write(os.path.join(os.path.dirname(aim["database"]), name)),
        folder=lambda: os.mkdir(os.path.join(aim["other_folder"], name + ".d")),
        link=lambda: os.symlink("/", os.path.join(aim["other_folder"], name + ".l")),
        pipe=lambda: os.mkfifo(os.path.join(aim["other_folder"], name + ".p")),
    )
