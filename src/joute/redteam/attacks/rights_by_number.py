"""Changes what is told of another bot's file, by every call that does, known by its number.

The C library knows only some of them, and so does whoever forbids calls by their names.
"""

import ctypes
import os
import struct

from attempt import attempt, by_number

HERE = -100


def play(observation, clock):
    path = observation["aim"]["other_bot"].encode()
    try:
        file = os.open(path, os.O_PATH)
    except OSError:
        file = -1
    word = ctypes.create_string_buffer(b"here")
    described = ctypes.create_string_buffer(struct.pack("=QII", ctypes.addressof(word), 4, 0))
    flags = ctypes.create_string_buffer(struct.pack("=QIIII", 64, 0, 0, 0, 0))
    steps = dict(
        chmod=(path, 0o777),
        fchmodat=(HERE, path, 0o777),
        fchmodat2=(HERE, path, 0o777, 0),
        fchmodat2_of_open=(file, b"", 0o777, 0x1000),
        fchmod=(file, 0o777),
        chown=(path, 65533, 65533),
        lchown=(path, 65533, 65533),
        fchownat=(HERE, path, 65533, 65533, 0),
        fchownat_of_open=(file, b"", 65533, 65533, 0x1000),
        utime=(path, struct.pack("=QQ", 1, 1)),
        utimes=(path, struct.pack("=QQQQ", 1, 0, 1, 0)),
        futimesat=(HERE, path, struct.pack("=QQQQ", 1, 0, 1, 0)),
        utimensat=(HERE, path, struct.pack("=QQQQ", 1, 0, 1, 0), 0),
        setxattr=(path, b"user.mine", word, 4, 0),
        lsetxattr=(path, b"user.mine", word, 4, 0),
        setxattrat=(HERE, path, 0, b"user.mine", described, 16),
        file_setattr=(HERE, path, flags, 24, 0),
    )
    return attempt(**{name: step(observation, name, steps[name]) for name in steps})


def step(observation, name, arguments):
    return lambda: by_number(observation, name.partition("_of_")[0], *arguments)
