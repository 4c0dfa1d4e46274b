"""Maps of Vampires vs Werewolves drawn at random to learn from: of many sizes, fair or not.

Those of `map.random_map`, for people, are of the size that is asked for, and fair.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from joute.core.registry import make
from joute.games.vampires.map import Group, VampiresMap, write_map
from joute.games.vampires.state import Vampires

LEAST, MOST = 4, 12  # rows and columns
MOST_HOUSES = 12
HUMANS = (3, 5, 9, 19)  # in a house of a map at most, each of these as likely
UNITS = (2, 12)  # that a species begins with
UNEQUAL = 0.2  # the share of maps with symmetric cells in which the species differ in units
USUAL_PLIES, OTHER_PLIES = 200, (40, 60, 80, 120)
USUAL = 0.7  # the share of games with the usual limit of turns

Cell = tuple[int, int]
Image = Callable[[int, int, int, int], Cell]

# The image of a cell, by column, row, last column and last row; without one a map is not symmetric.
IMAGES: tuple[Image | None, ...] = (
    lambda x, y, right, below: (right - x, below - y),
    lambda x, y, right, below: (right - x, y),
    lambda x, y, right, below: (x, below - y),
    lambda x, y, right, below: (y, x),
    None,
)
DIAGONAL = 3  # whose maps are square


class _Places:
    """The cells of a grid that are still free, drawn with their images."""

    def __init__(self, rng: np.random.Generator, columns: int, rows: int, image: Image | None):
        self._rng = rng
        self._columns, self._rows = columns, rows
        self._image = image
        self._taken: set[Cell] = set()

    def draw(self) -> tuple[Cell, Cell]:
        """A free cell and its image, which may be the same; neither is free any more."""
        while True:
            x, y = int(self._rng.integers(self._columns)), int(self._rng.integers(self._rows))
            image = (x, y)
            if self._image is not None:
                image = self._image(x, y, self._columns - 1, self._rows - 1)
            if not self._taken & {(x, y), image}:
                self._taken |= {(x, y), image}
                return (x, y), image


def drawn_map(rng: np.random.Generator) -> VampiresMap:
    """A map of 4 x 4 to 12 x 12, the same in one of four ways for both species, or in none."""
    columns, rows = (int(each) for each in rng.integers(LEAST, MOST + 1, 2))
    kind = int(rng.integers(len(IMAGES)))
    if kind == DIAGONAL:
        rows = columns
    image = IMAGES[kind]
    places = _Places(rng, columns, rows, image)
    first, second = places.draw()
    while first == second:
        first, second = places.draw()
        if image is None:
            second, _ = places.draw()
    most = int(rng.choice(HUMANS))
    wanted = int(rng.integers(1 + min(MOST_HOUSES, columns * rows // 5)))
    humans: list[Group] = []
    while len(humans) < wanted:
        count = int(rng.integers(1, most + 1))
        humans += [(*cell, count) for cell in dict.fromkeys(places.draw())]
    units = int(rng.integers(UNITS[0], UNITS[1] + 1))
    others = units
    if image is None or rng.random() < UNEQUAL:
        others = max(1, units + int(rng.integers(-2, 3)))
    return VampiresMap(rows, columns, tuple(humans), (*first, units), (*second, others))


def drawn_game(rng: np.random.Generator) -> Vampires:
    """A game on a map drawn at random, in most cases with the usual limit of turns."""
    plies = USUAL_PLIES if rng.random() < USUAL else int(rng.choice(OTHER_PLIES))
    game: Vampires = make("vampires", map=write_map(drawn_map(rng)), plies=plies)
    return game
