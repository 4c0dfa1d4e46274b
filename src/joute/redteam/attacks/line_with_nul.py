"""Answers with zero bytes before, inside and after the message."""

import os

from attempt import writer


def play(observation, clock):
    line = writer()
    os.write(line, b'\0\0{"type":"action","action":"forged"}\0\n')
    return 0
