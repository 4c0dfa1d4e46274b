"""Forks at each move and plays in both processes."""

import os


def play(observation, clock):
    os.fork()
    return observation["legal"][0]
