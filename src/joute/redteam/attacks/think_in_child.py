"""Goes on thinking on the opponent's time, in a child out of reach of the signal that stops it."""

from attempt import attempt, burn, child


def play(observation, clock):
    return attempt(child=lambda: child(lambda: burn(5)))
