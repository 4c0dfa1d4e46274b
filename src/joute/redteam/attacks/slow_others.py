"""Takes the processor away from others: their priority, their cores, their limits."""

import os
import resource

from attempt import attempt


def play(observation, clock):
    decoy = observation["aim"]["decoy"]
    return attempt(
        priority=lambda: os.setpriority(os.PRIO_PROCESS, decoy, 19),
        scheduler=lambda: os.sched_setscheduler(decoy, os.SCHED_IDLE, os.sched_param(0)),
        cores=lambda: os.sched_setaffinity(decoy, {0}),
        limits=lambda: resource.prlimit(decoy, resource.RLIMIT_NOFILE, (3, 3)),
    )
