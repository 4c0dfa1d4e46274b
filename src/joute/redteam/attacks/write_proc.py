"""Writes where the kernel listens: its own place among those killed for memory, and all others'."""

import os

from attempt import attempt


def play(observation, clock):
    aim = observation["aim"]

    def put(path, text):
        descriptor = os.open(path, os.O_WRONLY)
        try:
            return os.write(descriptor, text)
        finally:
            os.close(descriptor)

    return attempt(
        spared=lambda: put("/proc/self/oom_score_adj", b"7"),
        thread=lambda: put(f"/proc/self/task/{os.getpid()}/oom_score_adj", b"7"),
        filtered=lambda: put("/proc/self/coredump_filter", b"0"),
        decoy=lambda: put(f"/proc/{aim['decoy']}/oom_score_adj", b"7"),
        everybodys=lambda: os.close(os.open("/proc/sys/kernel/hostname", os.O_WRONLY)),
        devices=lambda: os.close(os.open("/sys/kernel/mm/ksm/run", os.O_WRONLY)),
        table=lambda: os.close(os.open("/proc/self/uid_map", os.O_WRONLY)),
    )
