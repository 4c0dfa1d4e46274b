"""The results of UCT on fixed states, in numbers: any change of the search shows.

`PYTHONPATH=tests python -m search.uct_signature` writes the file again; a change that is meant to
leave the search as it was must leave the file as it was.
"""

from pathlib import Path

from games.dice import Dice
from games.examples import ConnectFour, Othello
from helpers import names_missing_game
from search.ismcts_signature import state_after

from joute.core.registry import make, names
from joute.search.uct_search import Uct

FILE = Path(__file__).with_name("uct_signature.txt")
SIMULATIONS = 2000
GAMES = {
    "connect-four": ConnectFour(),
    "othello": Othello(),
    "dice": Dice(),
}
MADE = {"virus": {"size": 6}, "vampires": {}}
GAMES |= {name: make(name, **values) for name, values in MADE.items() if name in names()}
# Game, plies of a random game that are played before, chance's included.
STATES = [
    ("connect-four", 0),
    ("connect-four", 9),
    ("othello", 0),
    ("othello", 40),
    ("virus", 1),
    ("virus", 14),
    ("dice", 2),
    ("vampires", 0),
]
JUDGED = "virus"
"""The game that is searched once more, by its evaluation with PUCT."""


def lines():
    """A line a state and way of searching, with a heading: places used, best, actions' visits."""
    found = ["game plies how: places, best, visits of the first actions ..."]
    for name, plies in (each for each in STATES if each[0] in GAMES):
        game = GAMES[name]
        state = state_after(game, plies, plies)
        found.append(_line(f"{name} {plies} uct", Uct(game, plies), state))
        if name == JUDGED:
            from joute.games.virus.players.evaluation import fitted

            search = Uct(game, plies, evaluation=fitted(), informed=True)
            found.append(_line(f"{name} {plies} puct", search, state))
    return found


def _line(name, search, state):
    result = search.search(state, SIMULATIONS)
    visits = [pair for pair in zip(result.actions, result.visits, strict=True) if pair[1]]
    words = " ".join(f"{action} {count}" for action, count in visits[:12])
    return f"{name}: {search.places}, {result.best}, {words}"


def expected():
    """The lines of the file that are of games that are there."""
    written = FILE.read_text("ascii").splitlines()
    return [line for line in written if not names_missing_game(line)]


if __name__ == "__main__":
    FILE.write_text("\n".join(lines()) + "\n", "ascii")
