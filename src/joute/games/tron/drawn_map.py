"""Maps of Tron drawn at random, fair to all bikes and connected.

A symmetry takes every start to every other one, and with it walls, teleporters and stairs; so no
bike begins better than another. The free cells of each floor are connected, stairs join the floors.
Both are checked on the graph of the finished map.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from joute.core.errors import GameError
from joute.games.tron.board import (
    SLOTS,
    STARTS,
    STEPS,
    TELEPORTERS,
    WALL,
    Board,
    TronMap,
    board,
)
from joute.games.tron.map_text import MAX_CELLS
from joute.i18n.words import Sentence

Cell = tuple[int, int]  # column and row, from the top left
Image = Callable[[int, int, int, int], Cell]  # of x and y, in a floor of this width and height

SYMMETRIES: dict[str, tuple[Image, ...]] = {
    "none": (lambda x, y, w, h: (x, y),),
    "turn": (lambda x, y, w, h: (x, y), lambda x, y, w, h: (w - 1 - x, h - 1 - y)),
    "mirror": (lambda x, y, w, h: (x, y), lambda x, y, w, h: (w - 1 - x, y)),
    "mirrors": (
        lambda x, y, w, h: (x, y),
        lambda x, y, w, h: (w - 1 - x, y),
        lambda x, y, w, h: (w - 1 - x, h - 1 - y),
        lambda x, y, w, h: (x, h - 1 - y),
    ),
    "quarter": (
        lambda x, y, w, h: (x, y),
        lambda x, y, w, h: (h - 1 - y, x),
        lambda x, y, w, h: (w - 1 - x, h - 1 - y),
        lambda x, y, w, h: (y, w - 1 - x),
    ),
}
"""The images of a cell by each symmetry, itself first; a start stands on each of them.

Of two or four images, that of half a turn (or the mirrored one) comes half the list later.
"""

LEAST = 5  # columns and rows, the wall around them too
MOST_DENSITY = 0.35  # of walls inside; with more of them floors fall apart
MOST_FLOORS = 9
TRIES = 200  # drawings that are thrown away before it is given up
CANDIDATES = 8  # places of the starts, of which the one where they are farthest apart is taken


class Wish(NamedTuple):
    """The map that is asked for; `stairs` join each floor to the next, `teleporters` are pairs."""

    width: int
    height: int
    density: float
    symmetry: str
    floors: int
    teleporters: int
    stairs: int


def drawn_map(wish: Wish, seed: int) -> TronMap:
    """A fair and connected map. Raises GameError for a wish that none can fulfil."""
    _check(wish)
    from joute.core.random import below, generator  # compiled: reading a map does not wait for it

    rng = generator(seed)

    def pick(count: int) -> int:
        return int(below(rng, count))

    for _ in range(TRIES):
        found = _drawing(wish, pick)
        if found is not None and is_fair(board(found, found.wrap)):
            return found._replace(name=f"drawn-{seed}")
    raise GameError(Sentence("error.tron.drawn.none", tries=TRIES))


def is_fair(graph: Board) -> bool:
    """Whether all starts have as much territory, and every cell can be reached."""
    distances = [_distances(graph, start) for start in graph.starts]
    reached = all(len(each) == len(graph.places) - 1 for each in distances)
    return reached and len(set(territories(graph))) == 1


def territories(graph: Board) -> list[int]:
    """The number of cells that are nearer to each start than to all others."""
    distances = [_distances(graph, start) for start in graph.starts]
    owned = [0] * len(distances)
    for cell in range(1, len(graph.places)):
        steps = [each.get(cell, len(graph.places)) for each in distances]
        if steps.count(min(steps)) == 1:
            owned[steps.index(min(steps))] += 1
    return owned


def _distances(graph: Board, start: int) -> dict[int, int]:
    """Steps from a start to each cell that can be reached, on an empty board."""
    steps = {start: 0}
    reached = [start]
    for cell in reached:
        for way in graph.neighbour[SLOTS * cell : SLOTS * cell + len(STEPS)].tolist():
            if way and way not in steps:
                steps[way] = steps[cell] + 1
                reached.append(way)
    return steps


def _check(wish: Wish) -> None:
    """Raises GameError for a number out of range."""
    most = MAX_CELLS // LEAST
    for name in ("width", "height"):
        if not LEAST <= (value := getattr(wish, name)) <= most:
            raise GameError(Sentence(f"error.tron.drawn.{name}", least=LEAST, most=most, got=value))
    if not 1 <= wish.floors <= MOST_FLOORS:
        raise GameError(Sentence("error.tron.drawn.floors", most=MOST_FLOORS, got=wish.floors))
    if (cells := wish.width * wish.height * wish.floors) > MAX_CELLS:
        raise GameError(Sentence("error.tron.drawn.cells", most=MAX_CELLS, got=cells))
    if not 0 <= wish.density <= MOST_DENSITY:
        raise GameError(Sentence("error.tron.drawn.density", most=MOST_DENSITY, got=wish.density))
    if wish.symmetry not in SYMMETRIES:
        known = ", ".join(SYMMETRIES)
        raise GameError(Sentence("error.tron.drawn.symmetry", known=known, got=wish.symmetry))
    if wish.symmetry == "quarter" and wish.width != wish.height:
        raise GameError(Sentence("error.tron.drawn.square"))
    order = len(SYMMETRIES[wish.symmetry])
    step = max(order // 2, 1)
    most = len(TELEPORTERS)
    if not 0 <= wish.teleporters <= most or wish.teleporters % step:
        got = wish.teleporters
        raise GameError(Sentence("error.tron.drawn.teleporters", most=most, step=step, got=got))
    least = order if wish.floors > 1 else 0
    if wish.stairs < least or wish.stairs % order or (wish.stairs and not least):
        key = "error.tron.drawn.stairs" if least else "error.tron.drawn.no_stairs"
        raise GameError(Sentence(key, step=order, got=wish.stairs))


Pick = Callable[[int], int]


class _Floors:
    """The signs of all floors while they are drawn, by floor, row and column."""

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self.signs = np.full((wish.floors, wish.height, wish.width), WALL)
        self.signs[:, 1:-1, 1:-1] = " "

    def images(self, cell: Cell) -> list[Cell]:
        """The cell and its images, in the order of the symmetry; some may be the same."""
        size = (self.wish.width, self.wish.height)
        return [image(*cell, *size) for image in SYMMETRIES[self.wish.symmetry]]

    def put(self, floor: int, cell: Cell, sign: str) -> None:
        """Writes a sign."""
        self.signs[floor, cell[1], cell[0]] = sign

    def free(self, floor: int, cell: Cell) -> bool:
        """Whether nothing is written there."""
        return bool(self.signs[floor, cell[1], cell[0]] == " ")

    def whole(self, floor: int) -> list[Cell]:
        """The free cells of a floor whose images are all different."""
        order = len(SYMMETRIES[self.wish.symmetry])
        cells = [(int(x), int(y)) for y, x in np.argwhere(self.signs[floor] == " ")]
        return [cell for cell in cells if len(set(self.images(cell))) == order]


def _drawing(wish: Wish, pick: Pick) -> TronMap | None:
    """A map that may be sound and fair; None where this drawing came to nothing."""
    floors = _Floors(wish)
    for floor in range(wish.floors):
        _walls(floors, floor, pick)
        if not _joined(floors, floor):
            return None
    # Stairs first: they need the same place free on two floors.
    if _stairs(floors, pick) and _starts(floors, pick) and _teleporters(floors, pick):
        rows = tuple(tuple("".join(row) for row in signs) for signs in floors.signs.tolist())
        return TronMap("", wish.width, wish.height, rows)
    return None


def _walls(floors: _Floors, floor: int, pick: Pick) -> None:
    """Puts walls on a share of the cells inside."""
    left = [(int(x), int(y)) for y, x in np.argwhere(floors.signs[floor] == " ")]
    missing = round(len(left) * floors.wish.density)
    while missing > 0:
        cell = _taken(left, pick)
        if floors.free(floor, cell):
            for each in set(floors.images(cell)):
                floors.put(floor, each, WALL)
                missing -= 1


def _taken(cells: list[Cell], pick: Pick) -> Cell:
    """A cell of the list, which loses it."""
    place = pick(len(cells))
    cells[place], cells[-1] = cells[-1], cells[place]
    return cells.pop()


def _joined(floors: _Floors, floor: int) -> bool:
    """Walls up what is cut off from the largest part; False where the parts are each other's."""
    left = {(int(x), int(y)) for y, x in np.argwhere(floors.signs[floor] == " ")}
    parts = []
    while left:
        part = _part(left, next(iter(sorted(left))))
        parts.append(part)
        left -= part
    if not parts:
        return False
    largest = max(parts, key=len)
    if any(image not in largest for cell in largest for image in floors.images(cell)):
        return False
    for part in parts:
        for cell in part if part is not largest else ():
            floors.put(floor, cell, WALL)
    return True


def _part(cells: set[Cell], first: Cell) -> set[Cell]:
    """The cells that are joined with the first one."""
    part = {first}
    todo = [first]
    for x, y in todo:
        for near in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
            if near in cells and near not in part:
                part.add(near)
                todo.append(near)
    return part


def _stairs(floors: _Floors, pick: Pick) -> bool:
    """Puts the stairs between each floor and the next; False where there is no room."""
    wish = floors.wish
    for floor in range(wish.floors - 1):
        above = set(floors.whole(floor + 1))
        for _ in range(wish.stairs // len(SYMMETRIES[wish.symmetry])):
            # Walls are symmetric, so what is free on both floors is so with all its images.
            both = [cell for cell in floors.whole(floor) if cell in above]
            if not both:
                return False
            for each in floors.images(_taken(both, pick)):
                floors.put(floor, each, "u")
                floors.put(floor + 1, each, "d")
                above.discard(each)
    return True


def _starts(floors: _Floors, pick: Pick) -> bool:
    """Puts the starts on the ground floor, far apart; False where there is no room."""
    cells = [cell for cell in floors.whole(0) if _open(floors, cell)]
    if not cells:
        return False
    drawn = [_taken(cells, pick) for _ in range(min(CANDIDATES, len(cells)))]
    best = max(drawn, key=lambda cell: _apart(floors.images(cell)))
    for digit, each in zip(STARTS, floors.images(best), strict=False):
        floors.put(0, each, digit)
    return True


def _open(floors: _Floors, cell: Cell) -> bool:
    """Whether a start there has two ways to go, into cells where no start will be."""
    x, y = cell
    ways = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
    images = floors.images(cell)
    return sum(floors.free(0, way) and way not in images for way in ways) >= 2


def _apart(cells: list[Cell]) -> int:
    """The least distance between two of them, in columns and rows."""
    pairs = [(one, other) for place, one in enumerate(cells) for other in cells[:place]]
    return min((abs(a - c) + abs(b - d) for (a, b), (c, d) in pairs), default=0)


def _teleporters(floors: _Floors, pick: Pick) -> bool:
    """Puts the pairs, on any floors; False where there is no room."""
    order = len(SYMMETRIES[floors.wish.symmetry])
    letters = iter(TELEPORTERS)
    left = floors.wish.teleporters
    while left:
        floor = pick(floors.wish.floors)
        one = _ends(floors, floor, pick)
        if one is None:
            return False
        if left < order:
            # Half as many pairs as there are images: each joins a cell with an image of its own.
            half = order // 2
            pairs = [((floor, a), (floor, b)) for a, b in zip(one[:half], one[half:], strict=True)]
        else:
            beyond = pick(floors.wish.floors)
            other = _ends(floors, beyond, pick)
            if other is None:
                return False
            pairs = [((floor, a), (beyond, b)) for a, b in zip(one, other, strict=True)]
        for ends in pairs:
            letter = next(letters)
            for level, cell in ends:
                floors.put(level, cell, letter)
        left -= len(pairs)
    return True


def _ends(floors: _Floors, floor: int, pick: Pick) -> list[Cell] | None:
    """A cell of a floor and its images, which are taken; None where there is no room."""
    cells = floors.whole(floor)
    if not cells:
        return None
    found = floors.images(_taken(cells, pick))
    for each in found:
        floors.put(floor, each, "?")  # until the letter is known
    return found


def wish_of(width: int, height: int, given: dict[str, Any]) -> Wish:
    """The wish with the usual values of what is not given."""
    symmetry = given.get("symmetry", "turn")
    floors = given.get("floors", 1)
    order = len(SYMMETRIES.get(symmetry, ()))
    return Wish(
        width=width,
        height=height,
        density=given.get("density", 0.1),
        symmetry=symmetry,
        floors=floors,
        teleporters=given.get("teleporters", 0),
        stairs=given.get("stairs", order if floors > 1 else 0),
    )
