"""Takes memory of the kernel's: has it filter its calls by one program after the other."""

import ctypes
import struct

from attempt import attempt, by_number

SET_FILTER, NO_NEW_PRIVILEGES = 22, 38


def play(observation, clock):
    pass_all = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0x7FFF0000) * 100)
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxP", 100, ctypes.addressof(pass_all)))

    def repeated(load):
        by_number(observation, "prctl", NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        for _ in range(20):
            load()

    return attempt(
        by_prctl=lambda: repeated(
            lambda: by_number(observation, "prctl", SET_FILTER, 2, program, 0, 0)
        ),
        by_call=lambda: repeated(lambda: by_number(observation, "seccomp", 1, 0, program)),
    )
