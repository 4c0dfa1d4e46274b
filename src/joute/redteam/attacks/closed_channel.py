"""Closes its channel to the referee and stays, so that somebody waits for its end in vain."""

import os
import select


def play(observation, clock):
    os.closerange(0, 256)
    select.select([], [], [], 60)
    return 0
