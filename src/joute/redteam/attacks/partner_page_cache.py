"""Tells a partner a word by the pages of a file that it reads, which are in memory from then on."""

import ctypes
import mmap
import os

from attempt import attempt, by_number, call

BITS = 64
PAGE = mmap.PAGESIZE
STEP = 2 * PAGE

_watched = []


def play(observation, clock):
    aim = observation["aim"]
    path = os.path.join(os.path.dirname(os.__file__), "pydoc_data", "topics.py")
    if not _watched:
        _watched.append(os.open(path, os.O_RDONLY))
        os.posix_fadvise(_watched[0], 0, 0, os.POSIX_FADV_RANDOM)  # no page but what is asked for
    file = _watched[0]

    def say():
        word = int(aim["word"][-16:], 16)
        for place in range(BITS):
            if word >> place & 1:
                os.pread(file, 1, place * STEP)

    def drop():
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)

    def word(there):
        bits = [bool(there(place)) for place in range(BITS)]
        return aim["mark"] + f"{sum(bit << place for place, bit in enumerate(bits)):016x}"

    def by_asking():
        room = ctypes.create_string_buffer(5 * 8)

        def there(place):
            span = (ctypes.c_uint64 * 2)(place * STEP, 1)
            by_number(observation, "cachestat", file, ctypes.addressof(span), room, 0)
            return int.from_bytes(room.raw[:8], "little")

        return word(there)

    def by_reading():
        def there(place):
            try:
                return os.preadv(file, [bytearray(1)], place * STEP, os.RWF_NOWAIT)
            except BlockingIOError:
                return 0

        os.preadv(file, [bytearray(1)], 0, os.RWF_HIPRI)  # whether flags are allowed at all
        return word(there)

    def by_mapping():
        area = call("mmap", None, BITS * STEP, 1, 2, file, 0)
        told = ctypes.create_string_buffer(BITS * STEP // PAGE)
        call("mincore", ctypes.c_void_p(area), BITS * STEP, told)
        return word(lambda place: told.raw[place * STEP // PAGE] & 1)

    if aim["word"]:
        return attempt(say=say)
    if len(_watched) == 1:
        _watched.append(True)
        return attempt(drop=drop)
    return attempt(asked=by_asking, read=by_reading, mapped=by_mapping)
