"""Answers a number of half a million digits, which takes long to read."""

import os

from attempt import writer


def play(observation, clock):
    line = writer()
    digits = b"9" * 500_000
    os.write(line, b'{"type":"action","action":' + digits + b"}\n")
    return 0
