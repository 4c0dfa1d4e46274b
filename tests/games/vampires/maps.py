"""Small maps of Vampires vs Werewolves, with everything in them."""

from joute.games.vampires.map import VampiresMap, random_map, write_map

PAIR = write_map(VampiresMap(1, 2, (), (0, 0, 3), (1, 0, 2)))
LINE = write_map(VampiresMap(1, 5, ((2, 0, 3),), (0, 0, 2), (4, 0, 2)))
SMALL = write_map(VampiresMap(3, 4, ((1, 1, 2), (2, 1, 2)), (0, 0, 3), (3, 2, 3)))
FIELD = write_map(
    VampiresMap(5, 5, ((2, 2, 3), (0, 4, 2), (4, 0, 2), (1, 2, 1), (3, 2, 1)), (0, 0, 4), (4, 4, 4))
)
CROWD = write_map(  # more come together than a cell holds
    VampiresMap(3, 3, ((1, 0, 200), (1, 2, 200), (0, 1, 90)), (0, 0, 230), (2, 2, 230))
)
TALL = write_map(random_map(3, 12, 8, 4))
RANDOM = write_map(random_map(12, 7, 14, 1))

ALL = {
    "pair": PAIR,
    "line": LINE,
    "small": SMALL,
    "field": FIELD,
    "crowd": CROWD,
    "tall": TALL,
    "random": RANDOM,
}
