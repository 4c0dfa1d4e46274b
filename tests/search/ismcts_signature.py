"""The results of information-set search on fixed states, in numbers: any change shows.

`PYTHONPATH=tests python -m search.ismcts_signature` writes the file again; a change that is meant
to leave the search as it was must leave the file as it was.
"""

from pathlib import Path

import numpy as np
from games.poker import Poker
from helpers import names_missing_game

from joute.core.interface import CHANCE, OVER, draw, mover, pick, play, properties, start
from joute.core.random import generator
from joute.core.registry import make, names
from joute.search.ismcts import Ismcts

FILE = Path(__file__).with_name("ismcts_signature.txt")
SIMULATIONS = 2000
MADE = {
    "love-letter": {},
    "love-letter for 4": {"players": 4},
    "paradise": {},
    "virus": {"size": 5},
}
GAMES = {"poker": Poker()}
GAMES |= {
    name: make(game, **values)
    for name, values in MADE.items()
    if (game := name.partition(" ")[0]) in names()
}
# Game, plies of a random game that are played before, chance's included.
STATES = [
    ("poker", 3),
    ("poker", 5),
    ("love-letter", 9),
    ("love-letter", 13),
    ("love-letter for 4", 6),
    ("love-letter for 4", 20),
    ("paradise", 8),
    ("paradise", 60),
    ("virus", 1),
    ("virus", 12),
]


def state_after(game, plies, seed):
    """The first state of a random game, after so many plies, in which a player has a choice."""
    facts, rng = properties(game), generator(seed)
    out, weights = [0] * max(facts.max_legal, facts.max_outcomes), [0.0] * facts.max_outcomes
    state, played = start(game).tolist(), 0
    while played < plies or mover(game, state) == CHANCE:
        if mover(game, state) == OVER:
            return state_after(game, plies, seed + 1)
        chance = mover(game, state) == CHANCE
        action = draw(game, state, out, weights, rng) if chance else pick(game, state, out, rng)
        play(game, state, action)
        played += 1
    if mover(game, state) == OVER:
        return state_after(game, plies, seed + 1)
    return np.array(state, start(game).dtype)


def lines():
    """A line a state, with a heading: the edges of the tree, and each action with its visits.

    First with one observer, then with many.
    """
    found = ["game plies: edges, best, action visits ..."]
    for many in (False, True):
        for name, plies in (each for each in STATES if each[0] in GAMES):
            game = GAMES[name]
            search = Ismcts(game, seed=plies, many=many)
            result = search.search(state_after(game, plies, plies), SIMULATIONS)
            visits = zip(result.actions, result.visits, strict=True)
            words = " ".join(f"{action} {count}" for action, count in visits)
            observers = ", many observers" if many else ""
            found.append(f"{name} {plies}{observers}: {search.edges}, {result.best}, {words}")
    return found


def expected():
    """The lines of the file that are of games that are there."""
    written = FILE.read_text("ascii").splitlines()
    return [line for line in written if not names_missing_game(line)]


if __name__ == "__main__":
    FILE.write_text("\n".join(lines()) + "\n", "ascii")
