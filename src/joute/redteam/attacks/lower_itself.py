"""Lowers its own priority and pins itself to a core, to look as if the machine were busy."""

import ctypes
import os
import struct

from attempt import attempt, by_number


def play(observation, clock):
    zero = ctypes.create_string_buffer(4)
    idle = ctypes.create_string_buffer(struct.pack("=IIQiIQQQ", 48, 5, 0, 0, 0, 0, 0, 0))
    nicer = ctypes.create_string_buffer(struct.pack("=IIQiIQQQ", 48, 0, 0, 19, 0, 0, 0, 0))
    first = ctypes.create_string_buffer(b"\1", 128)
    return attempt(
        nice=lambda: os.nice(5),
        priority=lambda: os.setpriority(os.PRIO_PROCESS, 0, 19),
        group=lambda: os.setpriority(os.PRIO_PGRP, 0, 19),
        idle=lambda: by_number(observation, "sched_setscheduler", 0, 5, zero),
        batch=lambda: by_number(observation, "sched_setscheduler", 0, 3, zero),
        attributes=lambda: by_number(observation, "sched_setattr", 0, idle, 0),
        nicer=lambda: by_number(observation, "sched_setattr", 0, nicer, 0),
        cores=lambda: by_number(observation, "sched_setaffinity", 0, 128, first),
        disk=lambda: by_number(observation, "ioprio_set", 1, 0, 3 << 13),
    )
