"""Goes on computing after its last turn, when it is never asked again and pays for nothing."""

import os
import signal
import threading

from attempt import attempt


def _again():
    while True:
        os.kill(0, signal.SIGCONT)


def play(observation, clock):
    def own_group():
        os.kill(0, signal.SIGCONT)
        threading.Thread(target=_again, daemon=True).start()

    def own_thread():
        signal.pthread_kill(threading.get_ident(), signal.SIGCONT)

    return attempt(group=own_group, thread=own_thread)
