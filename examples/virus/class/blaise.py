"""Plays the first legal move."""


def play(observation, clock):
    return observation["legal"][0]
