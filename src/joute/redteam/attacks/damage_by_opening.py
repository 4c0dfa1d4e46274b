"""Empties another bot's file by opening it in ways that seem to be for reading."""

import os

from attempt import attempt, by_number

HERE = -100


def play(observation, clock):
    aim = observation["aim"]
    path = aim["other_bot"]

    def again():
        with open(f"/proc/self/fd/{os.open(path, os.O_PATH)}", "w"):
            pass

    return attempt(
        read_only=lambda: os.open(path, os.O_RDONLY | os.O_TRUNC),
        made=lambda: os.open(path, os.O_RDONLY | os.O_TRUNC | os.O_CREAT, 0o600),
        neither=lambda: os.open(path, 3 | os.O_TRUNC),
        created=lambda: by_number(observation, "creat", path.encode(), 0o600),
        cut=lambda: os.truncate(path, 0),
        newer=lambda: by_number(
            observation, "openat2", HERE, path.encode(), (0o1000).to_bytes(24, "little"), 24
        ),
        again=again,
        exchanged=lambda: by_number(
            observation, "renameat2", HERE, path.encode(), HERE, aim["notes"].encode(), 2
        ),
    )
