"""Takes memory that no limit of a process's own counts: shared between nobody and itself."""

import mmap

from attempt import attempt

_kept = []


def play(observation, clock):
    most = observation["aim"]["most_mb"] << 20

    def shared():
        area = mmap.mmap(-1, most, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
        _kept.append(area)
        fill(area, most)

    return attempt(shared=shared)


def fill(area, size):
    page = b"x" * (4 << 20)
    for at in range(0, size, len(page)):
        area[at : at + len(page)] = page
