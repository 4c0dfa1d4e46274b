"""Starts threads until it may start no more; it stops by itself at `most_processes`."""

import threading

from attempt import attempt, linger


def play(observation, clock):
    most = observation["aim"]["most_processes"]
    threading.stack_size(128 << 10)

    def bomb():
        for number in range(most):
            threading.Thread(target=linger, args=(20,), daemon=True).start()
        return most

    return attempt(threads=bomb)
