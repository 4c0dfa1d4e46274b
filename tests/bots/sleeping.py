"""Never answers: sleeps for ever, without using any CPU."""

import time


def ia(game, side):
    while True:
        time.sleep(3600)
