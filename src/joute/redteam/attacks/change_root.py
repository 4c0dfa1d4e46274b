"""Changes its root folder, so that what it finds at the usual paths is its own."""

import os

from attempt import attempt


def play(observation, clock):
    return attempt(root=lambda: os.chroot(observation["aim"]["own_folder"]))
