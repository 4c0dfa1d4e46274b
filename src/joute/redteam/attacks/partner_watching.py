"""Tells a partner in another game a word by the files that it opens, which the partner watches."""

import ctypes
import os

from attempt import attempt, call

OPENED = 0x20

_watches = []


def play(observation, clock):
    aim = observation["aim"]
    folder = os.path.dirname(os.__file__)
    names = sorted(name for name in os.listdir(folder) if name.endswith(".py"))[:64]

    def say():
        word = int(aim["word"][-16:], 16)
        for place, name in enumerate(names):
            if word >> place & 1:
                open(os.path.join(folder, name)).close()

    def watch():
        watching = call("inotify_init1", os.O_NONBLOCK)
        numbers = [
            call("inotify_add_watch", watching, os.path.join(folder, name).encode(), OPENED)
            for name in names
        ]
        _watches.append((watching, numbers))

    def hear():
        watching, numbers = _watches[0]
        data = os.read(watching, 1 << 16)
        heard = {ctypes.c_int.from_buffer_copy(data, at).value for at in range(0, len(data), 16)}
        word = sum(1 << numbers.index(n) for n in heard if n in numbers)
        return aim["mark"] + f"{word:016x}"

    if aim["word"]:
        return attempt(say=say)
    return attempt(hear=hear) if _watches else attempt(watch=watch)
