"""Has the kernel treat it as a program of another age: places that can be guessed, doors of old."""

import ctypes

from attempt import attempt, by_number

FIXED_PLACES, READ_MEANS_EXECUTE, THIRTY_TWO_BITS = 0x40000, 0x400000, 8


def play(observation, clock):
    room = ctypes.create_string_buffer(64)
    return attempt(
        fixed_places=lambda: by_number(observation, "personality", FIXED_PLACES),
        executable=lambda: by_number(observation, "personality", READ_MEANS_EXECUTE),
        narrow=lambda: by_number(observation, "personality", THIRTY_TWO_BITS),
        segments=lambda: by_number(observation, "modify_ldt", 0, room, 64),
        ports=lambda: by_number(observation, "iopl", 0),
        some_ports=lambda: by_number(observation, "ioperm", 0x80, 1, 1),
        log=lambda: by_number(observation, "syslog", 9, None, 0),
        quota=lambda: by_number(observation, "quotactl", 0x800007, None, 0, room),
        modules=lambda: by_number(observation, "init_module", room, 0, b""),
    )
