"""Tells a partner in another game a word by locking files that both may read: a bit for each."""

import fcntl
import os
import struct

from attempt import attempt

_kept = []


def play(observation, clock):
    aim = observation["aim"]
    folder = os.path.dirname(os.__file__)
    names = sorted(name for name in os.listdir(folder) if name.endswith(".py"))[:64]
    word = int(aim["word"][-16:], 16) if aim["word"] else 0

    def exclusive(file, bit):
        if aim["word"]:
            return fcntl.flock(file, fcntl.LOCK_EX) if bit else None
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return 1
        return 0

    def record(file, bit):
        kind = fcntl.F_RDLCK if aim["word"] else fcntl.F_WRLCK
        lock = struct.pack("hhqqi4x", kind, 0, 0, 0, 0)
        if aim["word"]:
            return fcntl.fcntl(file, fcntl.F_SETLK, lock) if bit else None
        return struct.unpack("hhqqi4x", fcntl.fcntl(file, fcntl.F_GETLK, lock))[0] != fcntl.F_UNLCK

    def all_of(lock):
        found = 0
        for place, name in enumerate(names):
            file = open(os.path.join(folder, name))
            found |= bool(lock(file, word >> place & 1)) << place
            if aim["word"]:
                _kept.append(file)
            else:
                file.close()
        return aim["mark"] + f"{found:016x}"

    return attempt(exclusive=lambda: all_of(exclusive), record=lambda: all_of(record))
