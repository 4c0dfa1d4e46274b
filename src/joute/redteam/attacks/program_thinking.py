"""Goes on thinking on the opponent's time in a child, which a program may have."""

from attempt import attempt, burn, child, serve


def play(observation, clock):
    return attempt(child=lambda: child(lambda: burn(5)))


if __name__ == "__main__":
    serve(play)
