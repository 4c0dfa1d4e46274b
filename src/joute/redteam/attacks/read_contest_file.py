"""Reads the contest's file beside its own, with the seed, and its database: its text names both."""

import errno
import json
import os


def play(observation, clock):
    folder = os.path.dirname(observation["aim"]["neighbour"])
    done, refused = {}, {}
    # Each of these names stands in this text, as in a comment that is there for nothing else.
    for name in ("contest.toml", "cup.sqlite", "./contest.toml"):
        try:
            with open(os.path.join(folder, name)) as file:
                done[name] = file.read()
        except OSError as error:
            refused[name] = errno.errorcode[error.errno]
    return {"action": 0, "message": json.dumps({"done": done, "refused": refused})}
