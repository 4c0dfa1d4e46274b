"""Answers one line of 8 MB."""

import os

from attempt import writer


def play(observation, clock):
    line = writer()
    os.write(line, b'{"type":"action","action":"')
    for number in range(128):
        os.write(line, b"x" * (64 << 10))
    os.write(line, b'"}\n')
    return 0
