"""Leaves a file in its own folder, and changes its own program for the games to come."""

import os

from attempt import attempt, write


def play(observation, clock):
    aim = observation["aim"]

    def itself():
        with open(os.path.join(aim["own_folder"], "bot.py"), "a") as file:
            file.write("# " + aim["token"])

    return attempt(
        file=lambda: write(os.path.join(aim["own_folder"], "mine-" + aim["token"])),
        here=lambda: write("also-" + aim["token"]),
        itself=itself,
    )
