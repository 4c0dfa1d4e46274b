"""Takes memory of the kinds that few know: stacks that grow, huge pages, what is only lent."""

import ctypes
import os

from attempt import attempt, by_number, call

WRITE, SHARED, PRIVATE, VALIDATED, DROPPABLE, ANONYMOUS = 3, 1, 2, 3, 8, 0x20
GROWS_DOWN, HUGE = 0x100, 0x40000
_kept = []


def play(observation, clock):
    most = observation["aim"]["most_mb"] << 20

    def fill(flags, descriptor=-1):
        if _kept:
            raise MemoryError("it has enough")
        start = call("mmap", None, most, WRITE, flags, descriptor, 0)
        ctypes.memset(start, 1, most)
        _kept.append(start)

    def secret():
        made = by_number(observation, "memfd_secret", 0)
        os.ftruncate(made, most)
        fill(SHARED, made)

    def zeros():
        fill(SHARED, os.open("/dev/zero", os.O_RDWR))

    def kept_when_moved():
        if _kept:
            raise MemoryError("it has enough")
        for _ in range(most >> 23):
            start = call("mmap", None, 8 << 20, WRITE, PRIVATE | ANONYMOUS, -1, 0)
            ctypes.memset(start, 1, 8 << 20)
            call("mremap", start, 8 << 20, 8 << 20, 5, 0)  # MAYMOVE, DONTUNMAP

    return attempt(
        zeros=zeros,
        validated=lambda: fill(VALIDATED | ANONYMOUS),
        growing=lambda: fill(PRIVATE | ANONYMOUS | GROWS_DOWN),
        huge=lambda: fill(PRIVATE | ANONYMOUS | HUGE),
        lent=lambda: fill(DROPPABLE | ANONYMOUS),
        secret=secret,
        shadow=lambda: by_number(observation, "map_shadow_stack", 0, 1 << 20, 0),
        kept_when_moved=kept_when_moved,
    )
