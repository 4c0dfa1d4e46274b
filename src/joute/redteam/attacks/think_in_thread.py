"""Goes on thinking on the opponent's time, in threads that it started while it was its turn."""

import threading

from attempt import burn


def play(observation, clock):
    for number in range(2):
        threading.Thread(target=burn, args=(5,), daemon=True).start()
    return 0
