"""Changes what is written about another bot's file: its rights, its times, its attributes.

Landlock guards what is in a file, not what is written about it.
"""

import os

from attempt import attempt


def play(observation, clock):
    path = observation["aim"]["other_bot"]
    return attempt(
        times=lambda: os.utime(path, (1, 1)),
        rights=lambda: os.chmod(path, 0),
        rights_of_folder=lambda: os.chmod(observation["aim"]["other_folder"], 0),
        attribute=lambda: os.setxattr(path, "user.mine", b"here"),
        owner=lambda: os.chown(path, 65533, 65533),
    )
