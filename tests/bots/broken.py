"""Writes lines that are no messages to every file descriptor that it can find."""

import os


def ia(game, side):
    for descriptor in sorted(map(int, os.listdir("/proc/self/fd"))):
        try:
            os.write(descriptor, b'{"type": "action", "action": [1, 2\xff\n')
        except OSError:
            pass
    return False
