"""A submission to the Paradise contest: its files import each other in both ways."""

from helping import attacks

from .choosing import dearest

games = []


def start():
    games.append("started")


def play(state):
    return dearest(state) or attacks(state) or (4, None)


def end(victory):
    games.append(victory)
