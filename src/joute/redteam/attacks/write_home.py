"""Writes into the home, Joute's own sources, its compiled kernels, and the system's folders.

A file without a name proves the right to write and leaves nothing behind: each is only held open.
"""

import os

from attempt import attempt

_kept = []


def play(observation, clock):
    aim = observation["aim"]

    def hold(folder):
        _kept.append(os.open(folder, os.O_TMPFILE | os.O_WRONLY))

    return attempt(
        home=lambda: hold(aim["home"]),
        package=lambda: hold(aim["package"]),
        child=lambda: hold(os.path.join(aim["package"], "host", "child")),
        cache=lambda: hold(aim["cache"]),
        libraries=lambda: hold(os.path.dirname(os.__file__)),
        settings=lambda: hold("/etc"),
        programs=lambda: hold("/usr/local"),
    )
