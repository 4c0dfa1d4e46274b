"""Tells a partner in another game a word by the numbers of a program's open files in `/proc`."""

import os

from attempt import attempt, serve

FIRST = 64  # far from those that a program has open
BITS = 64 - 4  # of which more than 128 in all may not be open


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
        found = sum(bit << place for place, bit in enumerate(open_))
        return aim["mark"] + aim["hint"] + f"{found:015x}"

    return attempt(say=say) if aim["word"] else attempt(hear=hear)


if __name__ == "__main__":
    serve(play)
