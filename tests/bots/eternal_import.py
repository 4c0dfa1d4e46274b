"""Is never ready: computes for ever while it is imported."""

while True:
    pass


def ia(game, side):
    return False
