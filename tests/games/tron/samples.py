"""Samples of Tron for the tests of all games."""

from games.mistakes import bot, played
from games.tron.maps import ALL, DUEL

from joute.core.interface import properties
from joute.core.maps import find_map
from joute.core.registry import make
from joute.games.tron.map import read_map, write_2010, write_map

QUICK = [make("tron", map=text, players=0) for text in ALL.values()]
QUICK += [
    make("tron", map=ALL["crowd"], players=5, order="simultaneous", teams=[[0, 1], [2, 3, 4]]),
    make("tron", map=ALL["tower"], players=2, order="turns", trail="vanish"),
    make("tron", map=ALL["tower"], players=1),
    make("tron", map=DUEL, players=1),
]
LARGE = []


def seeds(game):
    """The number of random games that are played usually, and in the full tier."""
    return (1 if properties(game).players > 4 else 8), 40


PLAYS = [
    ({"map": DUEL}, 2, None),
    ({"map": ALL["tower"], "players": 3, "order": "turns", "trail": "vanish"}, 1, None),
    ({"map": ALL["open"], "players": 4, "teams": [[0, 2], [1, 3]]}, 3, 12),
    ({"map": DUEL, "players": 1}, 5, 6),
]
TWO_FLOORS = "tron 1\nsize 5 3 2\nfloor 0\n#####\n#1 2#\n#####\nfloor 1\n#####\n#   #\n#####\nend\n"
MISTAKES = {
    "map": lambda: make("tron", map=1),
    "starts": lambda: make("tron", players=8, map=TWO_FLOORS),
    "order": lambda: make("tron", order="both"),
    "teams": lambda: make("tron", teams=3),
    "teams that lack a bike": lambda: make("tron", teams=[[0], [0]]),
    "name of a map": lambda: write_map(read_map(TWO_FLOORS)._replace(name="#")),
    "floors of 2010": lambda: write_2010(read_map(TWO_FLOORS)),
    "option of 2010": lambda: write_2010(read_map("2 3\n##\n1 \n 2\n")._replace(wrap="x")),
    "sign of 2010": lambda: write_2010(read_map("2 3\n##\n1 \n 2\n")._replace(floors=(("u",),))),
    "no map": lambda: find_map("tron", "arenaa"),
    "a place in a map": lambda: read_map("tron 2"),
    "trust": bot("tron", "champion", seconds=-1),
    "alone": bot("tron", "fill"),
    "workshop": bot("tron", "montecarlo-numpy"),
    "2010 on floors": played("tron", "tron2010:cat", map=TWO_FLOORS),
    "2010 in turns": played("tron", "tron2010:cat", order="turns"),
    "2010 on joined edges": played("tron", "tron2010:cat", wrap="x"),
}
