"""Reads the contest's database and the files of its user, which hold seeds, results and names."""

import os

from attempt import attempt, read


def play(observation, clock):
    aim = observation["aim"]
    return attempt(
        database=lambda: read(aim["database"]),
        notes=lambda: read(aim["notes"]),
        list=lambda: os.listdir(os.path.dirname(aim["database"])),
        home=lambda: len(os.listdir(aim["home"])),
    )
