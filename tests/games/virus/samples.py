"""Samples of Virus for the tests of all games."""

from games.mistakes import bot, played

from joute.core.interface import properties
from joute.core.maps import find_map
from joute.core.registry import make
from joute.games.virus.rules import Virus, VirusGrid
from joute.games.virus.saves import read_saves

QUICK = [Virus(size, passing) for size in (3, 5, 7, 10) for passing in (True, False)]
QUICK += [VirusGrid(size, passing) for size in (3, 4, 6) for passing in (True, False)]
LARGE = [VirusGrid(size, passing) for size in (12, 20) for passing in (True, False)]


def seeds(game):
    """The number of random games that are played usually, and in the full tier."""
    return (8, 40) if game.size < 6 else (2, 10) if properties(game).max_plies < 250 else (1, 10)


PLAYS = [
    ({"size": 4}, 6, None),
    ({"size": 4, "voluntary_pass": False}, 4, None),
    ({}, 1, 8),
]
MISTAKES = {
    "no parameter": lambda: make("virus", sise=3),
    "size": lambda: make("virus", size=99),
    "passes": lambda: make("virus", voluntary_pass=1),
    "no map of a game without": lambda: find_map("virus", "arena"),
    "no saves": lambda: read_saves(""),
    "no list": lambda: read_saves("games.a_b = 3"),
    "no JSON": lambda: read_saves("games.a_b = ["),
    "illegal ply": lambda: read_saves("games.a_b = [['A', [9, 5, []]]]"),
    "no ply": lambda: read_saves("games.a_b = [3]"),
    "no bot": bot("virus", "greedie"),
    "no option": bot("virus", "greedy", strai=1),
    "type": bot("virus", "greedy", stray="much"),
    "stray": bot("virus", "greedy", stray=2),
    "by": bot("virus", "random", by="luck"),
    "depth": bot("virus", "alphabeta", depth=0),
    "reduce": bot("virus", "alphabeta", reduce=2),
    "evaluation": bot("virus", "alphabeta", evaluation="mood"),
    "seconds": bot("virus", "champion", seconds=-1),
    "champion option": bot("virus", "champion", simulation=1),
    "champion exploration": bot("virus", "champion", exploration=-1),
    "amounts": bot("virus", "uct", simulations=-1),
    "both": bot("virus", "uct", simulations=1, seconds=1),
    "bound": bot("virus", "uct", bound="sky"),
    "exploration": bot("virus", "uct", exploration=-2),
    "scale": bot("virus", "uct", evaluation="lead", scale=0),
    "threads": bot("virus", "uct", threads=0),
    "observers": bot("virus", "ismcts", observers="all"),
    "flat": bot("virus", "flat", simulations=-1),
    "paranoid": bot("virus", "paranoid", depth=0),
    "another game": bot("virus", "nearest"),
    "rules": bot("virus", "rules"),
    "utbm": bot("virus", "utbm"),
    "turn": bot("virus", "turn"),
    "remote": played("virus", "remote"),
    "2010": played("virus", "tron2010:cat"),
    "tcp": played("virus", "tcp:cat"),
    "workshop's function": played("virus", f"workshop:{__file__}"),
    "bot of Paradise": played("virus", f"paradise:{__file__}"),
}
