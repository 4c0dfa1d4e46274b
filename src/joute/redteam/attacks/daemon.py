"""Leaves a process that outlives the game: orphaned, in a session of its own, deaf to signals."""

import os
import signal

from attempt import attempt, linger


def play(observation, clock):
    def orphan():
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
                    signal.signal(number, signal.SIG_IGN)
                linger(20)
            os._exit(0)
        os.wait()

    return attempt(orphan=orphan)
