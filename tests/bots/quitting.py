"""Calls sys.exit at each move, which must cost a turn and not the game."""

import sys


def ia(game, side):
    sys.exit("I give up")
