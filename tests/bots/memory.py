"""Asks for more and more memory at each move, and keeps it."""

hoard = []


def ia(game, side):
    while True:
        hoard.append(bytearray(8 << 20))
