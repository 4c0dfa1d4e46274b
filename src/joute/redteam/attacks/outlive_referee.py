"""Goes on when the referee has been killed: it takes back what ties its life to the referee's."""

import os
import signal

from attempt import attempt, call, child, linger


def play(observation, clock):
    def untie():
        call("prctl", 1, 0, 0, 0, 0)  # PR_SET_PDEATHSIG: no signal

    def hide():
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)

    def copy():
        return child(lambda: linger(20))

    return attempt(untie=untie, hide=hide, session=os.setsid, copy=copy)
