"""Changes the clocks of its own interpreter, and what the host's side there says of time."""

import sys
import time

_true = time.thread_time


def play(observation, clock):
    end = _true() + 4 * clock.seconds
    for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time"):
        setattr(time, name, lambda: 0.0)
    for name, module in list(sys.modules.items()):
        if name.startswith("joute_child"):
            for word in ("seconds", "limit", "cpu", "confine"):
                setattr(module, word, lambda *_: 0.0)
    while _true() < end:
        sum(range(2000))
    return 0
