"""Answers lists within lists, a hundred thousand deep, to exhaust the stack of its reader."""

import os

from attempt import writer


def play(observation, clock):
    line = writer()
    depth = 100_000
    deep = b"[" * depth + b"]" * depth
    os.write(line, b'{"type":"action","action":' + deep + b"}\n")
    return 0
