"""Takes shared memory under a name, which stays when its maker has gone."""

import mmap
import os

from attempt import attempt, call

_kept = []


def play(observation, clock):
    aim = observation["aim"]
    most = aim["most_mb"] << 20

    def posix():
        path = "/dev/shm/mine-" + aim["token"]
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        os.truncate(descriptor, most)
        area = mmap.mmap(descriptor, most)
        _kept.append(area)
        fill(area, most)

    def system_v():
        import ctypes

        key = int(aim["token"][:7], 16)
        number = call("shmget", key, most, 0o1600)
        address = call("shmat", number, None, 0)
        ctypes.memset(address, 1, most)

    return attempt(posix=posix, system_v=system_v)


def fill(area, size):
    page = b"x" * (4 << 20)
    for at in range(0, size, len(page)):
        area[at : at + len(page)] = page
