"""Does not leave when the game is over."""

import select


class Bot:
    def play(self, observation, clock):
        return 0

    def end(self, returns):
        while True:
            select.select([], [], [], 60)
