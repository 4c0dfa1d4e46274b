"""Leaves a word for a partner in another game in the times and the rights of files."""

import os

from attempt import attempt


def play(observation, clock):
    aim = observation["aim"]
    # Its own file: whoever plays the partner has the same program.
    path = os.path.join(aim["own_folder"], "bot.py")

    def times():
        if aim["word"]:
            word = int(aim["word"][-16:], 16)
            return os.utime(path, ns=(word >> 32, word & 0xFFFFFFFF))
        found = os.stat(path)
        pieces = (found.st_atime_ns & 0xFFFFFFFF, found.st_mtime_ns & 0xFFFFFFFF)
        return aim["mark"] + "".join(f"{piece:08x}" for piece in pieces)

    def attribute():
        if aim["word"]:
            return os.setxattr(path, "user.word", aim["word"].encode())
        return os.getxattr(path, "user.word").decode()

    return attempt(times=times, attribute=attribute)
