"""Fills the line with answers while it is started, before anything was asked."""

import os

from attempt import writer

try:
    os.write(writer(), b'{"type":"ready"}\n' + b'{"type":"action","action":"forged"}\n' * 100)
except OSError:
    pass


def play(observation, clock):
    return 0
