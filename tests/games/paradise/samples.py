"""Samples of Paradise for the tests of all games."""

from games.mistakes import bot

from joute.core.registry import make

QUICK = [make("paradise"), make("paradise", quirks=True)]
LARGE = []


def seeds(game):
    """The number of random games that are played usually, and in the full tier."""
    return 1, 15


PLAYS = [
    ({}, 1, 30),
    ({"quirks": True}, 2, 10),
]
MISTAKES = {
    "quirks": lambda: make("paradise", quirks="some"),
    "UCT": bot("paradise", "uct"),
    "positions": bot("paradise", "turn", positions=0),
    "face": bot("paradise", "face", stray=2),
}
