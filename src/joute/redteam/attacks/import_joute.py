"""Imports Joute itself, its rules and its own players, or reads their sources."""

import hashlib
import importlib.util
import os
import sys

from attempt import attempt


def play(observation, clock):
    aim = observation["aim"]
    source = os.path.join("core", "interface.py")

    def told(path):
        with open(path, "rb") as file:
            return aim["mark"] + hashlib.blake2b(file.read()).hexdigest()[:16]

    def by_import():
        found = importlib.util.find_spec("joute")
        if found is None or not found.origin:
            raise FileNotFoundError(2, "not to be imported")
        return told(os.path.join(os.path.dirname(found.origin), source))

    def by_search():
        for folder in sys.path:
            path = os.path.join(folder, "joute", source)
            if os.path.exists(path):
                return told(path)
        raise FileNotFoundError(2, "not in the path")

    return attempt(
        imported=by_import,
        searched=by_search,
        read=lambda: told(os.path.join(aim["package"], source)),
    )
