"""Opens more of the kernel's rarer doors: rings, secrets, handles of processes, watches of all."""

import ctypes
import os
import struct

from attempt import attempt, by_number

HERE = -100
_kept = []


def play(observation, clock):
    aim = observation["aim"]
    room = ctypes.create_string_buffer(256)

    def opened(name, *arguments):
        return lambda: _kept.append(by_number(observation, name, *arguments))

    def file_of_another():
        handle = by_number(observation, "pidfd_open", aim["referee"], 0)
        made = by_number(observation, "pidfd_getfd", handle, aim["descriptor"], 0)
        return os.pread(made, 100, 0).decode()

    return attempt(
        ring=opened("io_uring_setup", 1, room),
        secret=opened("memfd_secret", 0),
        faults=opened("userfaultfd", 0),
        all_files=opened("fanotify_init", 0, 0),
        files=opened("inotify_init1", 0),
        mounts=opened("fsopen", b"tmpfs", 0),
        rules=opened("landlock_create_ruleset", struct.pack("=Q", 1), 8, 0),
        kernels_keys=opened("keyctl", 0, -3, 0),
        table=opened("bpf", 0, struct.pack("=IIII", 2, 4, 4, 1).ljust(128, b"\0"), 72),
        trees=opened("open_tree", HERE, b"/", 1),
        file_of_another=file_of_another,
        advice=opened("process_madvise", aim["referee"], room, 1, 21, 0),
    )
