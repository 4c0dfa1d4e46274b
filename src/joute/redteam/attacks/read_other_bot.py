"""Reads the file of another bot, by its path, through a link of its own, and lists its folder."""

import os

from attempt import attempt, read


def play(observation, clock):
    aim = observation["aim"]

    def through_link():
        link = os.path.join(aim["own_folder"], "link-" + aim["token"])
        os.symlink(aim["other_bot"], link)
        return read(link)

    return attempt(
        open=lambda: read(aim["other_bot"]),
        relative=lambda: read(os.path.join("..", "other", "bot.py")),
        root=lambda: read("/proc/self/root" + aim["other_bot"]),
        link=through_link,
        list=lambda: os.listdir(aim["other_folder"]),
    )
