"""Stops other programs of the same user, the opponent among them, and lets their time run out."""

import os
import signal

from attempt import attempt


def play(observation, clock):
    decoy = observation["aim"]["decoy"]
    return attempt(
        scope_stop=lambda: os.kill(decoy, signal.SIGSTOP),
        scope_group=lambda: os.killpg(decoy, signal.SIGSTOP),
    )
