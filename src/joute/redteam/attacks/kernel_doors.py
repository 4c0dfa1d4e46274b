"""Opens the kernel's rarer doors, through which most of its faults were found."""

import ctypes

from attempt import attempt, system_call


def play(observation, clock):
    room = ctypes.create_string_buffer(256)

    def counter():
        event = (ctypes.c_uint32 * 32)(1, 128)  # a software event
        event[10] = 0x60  # neither the kernel nor the hypervisor
        return system_call("perf_event_open", ctypes.byref(event), 0, -1, -1, 0)

    def program():
        table = (ctypes.c_uint32 * 32)(2, 4, 4, 1)  # an array of one number
        return system_call("bpf", 0, ctypes.byref(table), ctypes.sizeof(table))

    return attempt(
        io_uring=lambda: system_call("io_uring_setup", 4, room),
        perf_event=counter,
        bpf=program,
        userfaultfd=lambda: system_call("userfaultfd", 1),
    )
