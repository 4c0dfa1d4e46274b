"""Prints without end to its standard output and error, for the record to swell."""

import os
import sys


def play(observation, clock):
    for number in range(300):
        os.write(1, b"o" * 65536)
        sys.stderr.write("e" * 65536)
    return 0
