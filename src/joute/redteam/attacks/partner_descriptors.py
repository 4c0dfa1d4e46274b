"""Tells a partner in another game a word by the numbers of its open files, which `/proc` shows."""

import os

from attempt import attempt

FIRST = 100  # far from those that the host keeps for itself
BITS = 64


def play(observation, clock):
    aim = observation["aim"]

    def say():
        word = int(aim["word"][-16:], 16)
        for place in range(BITS):
            if word >> place & 1:
                os.dup2(2, FIRST + place)

    def hear():
        folder = f"/proc/{aim['partner']}/fd/"
        os.lstat(folder + "0")
        open_ = [os.path.lexists(folder + str(FIRST + place)) for place in range(BITS)]
        return aim["mark"] + f"{sum(bit << place for place, bit in enumerate(open_)):016x}"

    return attempt(say=say) if aim["word"] else attempt(hear=hear)
