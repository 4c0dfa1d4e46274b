"""Samples of Love Letter for the tests of all games."""

from games.mistakes import bot

from joute.core.registry import make

QUICK = [make("love-letter", players=players) for players in range(2, 7)]
QUICK += [make("love-letter", players=players, deck="classic") for players in (2, 3, 4)]
QUICK += [make("love-letter", players=players, tokens=2) for players in (2, 6)]
LARGE = []


def seeds(game):
    """The number of random games that are played usually, and in the full tier."""
    return (6 if game.players * game.tokens < 12 else 1), 30


PLAYS = [
    ({}, 3, None),
    ({"players": 3}, 48, None),
    ({"players": 4, "deck": "classic"}, 1, 12),
    ({"players": 6, "tokens": "official"}, 1, 12),
]
MISTAKES = {
    "deck": lambda: make("love-letter", deck="none"),
    "players": lambda: make("love-letter", players=99),
    "tokens": lambda: make("love-letter", tokens=-1),
    "peeks": bot("love-letter", "utbm-peek"),
    "hidden": bot("love-letter", "greedy"),
    "alpha-beta": bot("love-letter", "alphabeta"),
    "zero sum": bot("love-letter", "expectimax"),
    "utbm's depth": bot("love-letter", "utbm", depth=99),
}
