"""Reads another bot's file by its handle, by which no path is walked and no folder is searched."""

import ctypes
import os
import struct

from attempt import attempt, by_number

HERE = -100


def play(observation, clock):
    path = observation["aim"]["other_bot"].encode()
    handle = ctypes.create_string_buffer(struct.pack("=Ii", 128, 0), 256)
    mount = ctypes.create_string_buffer(8)

    def named(flags):
        return by_number(observation, "name_to_handle_at", HERE, path, handle, mount, flags)

    def opened(where):
        file = by_number(observation, "open_by_handle_at", os.open(where, os.O_RDONLY), handle, 0)
        return os.read(file, 1 << 12).decode()

    return attempt(
        named=lambda: named(0),
        named_only=lambda: named(0x200),
        opened=lambda: opened("/usr"),
        opened_at=lambda: by_number(observation, "open_by_handle_at", HERE, handle, 0),
    )
