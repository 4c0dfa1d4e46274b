"""Answers one byte after the other, so that the end of its line seems always near."""

import os
import select

from attempt import writer


def play(observation, clock):
    line = writer()
    for number in range(1000):
        os.write(line, b" ")
        select.select([], [], [], 0.01)
    return 0
