"""Changes the flags of another bot's file, which file systems keep beside its rights."""

import fcntl
import os
import struct

from attempt import attempt

SET_FLAGS, SET_MORE, NOT_DUMPED = 0x40086602, 0x401C5820, 0x40


def play(observation, clock):
    path = observation["aim"]["other_bot"]

    def control(request, argument, flags):
        file = os.open(path, flags)
        try:
            fcntl.ioctl(file, request, argument)
        finally:
            os.close(file)

    return attempt(
        flags=lambda: control(SET_FLAGS, struct.pack("=q", NOT_DUMPED), os.O_RDONLY),
        more=lambda: control(SET_MORE, struct.pack("=IIIII8x", 0x80, 0, 0, 0, 0), os.O_RDONLY),
        by_path=lambda: control(SET_FLAGS, struct.pack("=q", NOT_DUMPED), os.O_PATH),
        own=lambda: fcntl.ioctl(
            os.open(observation["aim"]["own_folder"], os.O_RDONLY), SET_FLAGS, struct.pack("=q", 64)
        ),
    )
