"""Leaves without a word at its first move."""

import os


def ia(game, side):
    os._exit(3)
