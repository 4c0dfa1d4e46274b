"""Blames the machine: many threads sleep again and again, so that one always waits for a core."""

import threading
import time

from attempt import attempt, linger


def _nap():
    while True:
        time.sleep(0.001)


def play(observation, clock):
    for _ in range(5):
        threading.Thread(target=_nap, daemon=True).start()
    linger(2.6)
    return attempt()
