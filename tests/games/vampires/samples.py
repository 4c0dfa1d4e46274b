"""Samples of Vampires vs Werewolves for the tests of all games."""

from games.mistakes import bot
from games.vampires.maps import CROWD, FIELD, LINE, PAIR, RANDOM, SMALL, TALL

from joute.core.registry import make
from joute.games.vampires.map import random_map

QUICK = [make("vampires", map=text, plies=10) for text in (PAIR, LINE, SMALL, FIELD)]
QUICK += [
    make("vampires", map=FIELD, plies=20, split=False),
    make("vampires", map=CROWD, plies=2, wrap_counts=True),
    make("vampires", map=CROWD, plies=10, split=False),
]
LARGE = [
    make("vampires", plies=20),
    make("vampires", plies=60, split=False),
    make("vampires", map=RANDOM, plies=10),
    make("vampires", map=TALL, plies=20, wrap_counts=True),
]


def seeds(game):
    """The number of random games that are played usually, and in the full tier."""
    return 3, 15


PLAYS = [
    ({"map": SMALL, "plies": 8}, 1, None),
    ({"map": FIELD, "plies": 10, "split": False}, 2, None),
    ({}, 1, 8),
]
MISTAKES = {
    "map": lambda: make("vampires", map=1),
    "plies": lambda: make("vampires", plies=3),
    "split": lambda: make("vampires", split=2),
    "width": lambda: random_map(0, 3, 0, 1),
    "houses": lambda: random_map(3, 3, 99, 1),
    "houses without a middle": lambda: random_map(2, 2, 1, 1),
    "alpha-beta and chance": bot("vampires", "alphabeta"),
    "thin": bot("vampires", "expectimax", thin=-1),
    "paranoid and chance": bot("vampires", "paranoid"),
}
