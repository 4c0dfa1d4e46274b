"""Kills other programs of the same user.

A process of ours stands for them all: what may be sent to it by its number, `kill(-1)` sends to
all, and is therefore never called.
"""

import os
import signal

from attempt import attempt, call


def play(observation, clock):
    decoy = observation["aim"]["decoy"]
    return attempt(
        scope_ask=lambda: os.kill(decoy, 0),
        scope_end=lambda: os.kill(decoy, signal.SIGTERM),
        scope_kill=lambda: os.kill(decoy, signal.SIGKILL),
        scope_thread=lambda: call("tgkill", decoy, decoy, int(signal.SIGKILL)),
        queue=lambda: call("sigqueue", decoy, int(signal.SIGKILL), None),
    )
