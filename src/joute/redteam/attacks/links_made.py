"""Gives another bot's file a second name, in a folder of its own, and puts names beside it."""

import os
import tempfile

from attempt import attempt, by_number

HERE, FOLLOW, EMPTY = -100, 0x400, 0x1000


def play(observation, clock):
    aim = observation["aim"]
    path, folder = aim["other_bot"], aim["other_folder"]
    own = os.path.join(tempfile.gettempdir(), "mine-" + aim["token"])

    def opened(flags, *source):
        return by_number(observation, "linkat", *source, HERE, own.encode(), flags)

    return attempt(
        link=lambda: os.link(path, own),
        link_own=lambda: os.link(path, os.path.join(aim["own_folder"], "link")),
        link_beside=lambda: os.link(path, os.path.join(folder, "link")),
        link_open=lambda: opened(EMPTY, os.open(path, os.O_PATH), b""),
        link_followed=lambda: opened(
            FOLLOW, HERE, f"/proc/self/fd/{os.open(path, os.O_PATH)}".encode()
        ),
        name_beside=lambda: os.symlink(own, os.path.join(folder, "name")),
        pipe_beside=lambda: os.mkfifo(os.path.join(folder, "pipe")),
        folder_beside=lambda: os.mkdir(os.path.join(folder, "folder")),
        moved=lambda: os.rename(path, own),
    )
