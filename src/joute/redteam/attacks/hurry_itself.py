"""Gives itself more than its share: a better priority, real time, wider limits."""

import os
import resource

from attempt import attempt


def play(observation, clock):
    def wider():
        resource.setrlimit(resource.RLIMIT_DATA, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    def longer():
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 40, 1 << 40))

    return attempt(
        limit_of_memory=wider,
        limit_of_files=longer,
        priority=lambda: os.setpriority(os.PRIO_PROCESS, 0, -20),
        real_time=lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
    )
