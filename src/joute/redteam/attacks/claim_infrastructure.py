"""Says that the machine is at fault, so that a lost game is played again."""

import os

from attempt import writer


def play(observation, clock):
    line = writer()
    os.write(line, b'{"type":"error","fault":"infrastructure","error":"not me"}\n')
    return 0
