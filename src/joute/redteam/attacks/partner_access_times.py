"""Tells a partner in another game a word by the files that it reads: the system notes the times."""

import os

from attempt import attempt, read

BITS = 64

_before = []


def play(observation, clock):
    aim = observation["aim"]
    pages = [os.path.join(aim["own_folder"], "pages", f"{number:02}") for number in range(BITS)]

    def say():
        word = int(aim["word"][-16:], 16)
        for place, page in enumerate(pages):
            if word >> place & 1:
                read(page)

    def times():
        return [os.stat(page).st_atime_ns for page in pages]

    def hear():
        changed = [old != new for old, new in zip(_before, times())]
        if not any(changed):
            raise PermissionError(30, "no times are noted")
        return aim["mark"] + f"{sum(bit << place for place, bit in enumerate(changed)):016x}"

    if aim["word"]:
        return attempt(say=say)
    return attempt(hear=hear) if _before else attempt(watch=lambda: _before.extend(times()))
