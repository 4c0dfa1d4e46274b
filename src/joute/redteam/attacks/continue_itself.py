"""Goes on thinking on the opponent's time: a thread continues its own process again and again."""

import os
import signal
import threading

from attempt import attempt

_started = []


def play(observation, clock):
    me = os.getpid()
    os.kill(me, 0)

    def again():
        while True:
            os.kill(me, signal.SIGCONT)

    def think():
        os.kill(me, signal.SIGCONT)
        if not _started:
            _started.append(threading.Thread(target=again, daemon=True))
            _started[0].start()

    return attempt(think=think)
