"""Ignores every signal that can be ignored, and stops and continues itself in turn."""

import os
import signal


def play(observation, clock):
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    while True:
        os.kill(os.getpid(), signal.SIGSTOP)
