"""The board of a Tron map: a graph of free cells, one table of neighbours for all kinds of ways.

A cell is an int from 1: free cells are numbered floor by floor, from the bottom row up, from left
to right. Cell 0 is a wall for ever: a closed direction leads there. Walls of the map, edges,
wrapping, teleporters and stairs are only entries of the table.

Directions: 0 left, 1 up, 2 right, 3 down, 4 one floor up, 5 one floor down.
"""

from typing import NamedTuple

import numpy as np

LEFT, UP, RIGHT, DOWN, UPSTAIRS, DOWNSTAIRS = range(6)
STEPS = ((-1, 0, 0), (0, 1, 0), (1, 0, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
"""The change of x, y and the floor by each direction."""

SLOTS = 8  # entries of the table per cell; those past the directions are 0

WALL = "#"
STARTS = "12345678"
TELEPORTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
STAIRS = {UPSTAIRS: "ub", DOWNSTAIRS: "db"}
"""The signs that open each direction between floors."""

Place = tuple[int, int, int]  # x to the right, y up from 0, floor


class TronMap(NamedTuple):
    """A map as its text says it; what `read_map` returns is sound."""

    name: str
    width: int
    height: int
    floors: tuple[tuple[str, ...], ...]  # each its rows, the top one first; a free cell is ' '
    trail: str = "stay"
    wrap: str = "none"
    order: str = "simultaneous"


class Board(NamedTuple):
    """The graph of a map. `cells` counts the free cells and cell 0."""

    neighbour: np.ndarray  # int16[cells * 8]: [8 * cell + direction] is where it leads, 0: closed
    places: tuple[Place, ...]  # of each cell; (-1, -1, -1) for cell 0
    partner: np.ndarray  # int16[cells]: the other end of a teleporter, 0 for other cells
    starts: tuple[int, ...]  # the cells of starts 1, 2, ...


def sign_at(map: TronMap, place: Place) -> str:
    """The sign of a place inside the map."""
    x, y, floor = place
    return map.floors[floor][map.height - 1 - y][x]


def entered(map: TronMap, wrap: str, place: Place, direction: int) -> Place | None:
    """The place that a move enters, None where it is closed.

    For a teleporter it is the end that is entered, not the one on which the bike is put.
    """
    x, y, floor = (here + step for here, step in zip(place, STEPS[direction], strict=True))
    if direction in STAIRS:
        return (x, y, floor) if sign_at(map, place) in STAIRS[direction] else None
    if "x" in wrap:
        x %= map.width
    if "y" in wrap:
        y %= map.height
    if not (0 <= x < map.width and 0 <= y < map.height):
        return None
    return None if sign_at(map, (x, y, floor)) == WALL else (x, y, floor)


def board(map: TronMap, wrap: str) -> Board:
    """The graph of a sound map whose edges are joined as `wrap` says: none, x, y or xy."""
    places = _places(map)
    cells = {place: cell for cell, place in enumerate(places) if cell}
    by_sign: dict[str, list[int]] = {}
    for place, cell in cells.items():
        by_sign.setdefault(sign_at(map, place), []).append(cell)
    partner = np.zeros(len(places), np.int16)
    for letter in TELEPORTERS:
        if letter in by_sign:
            one, other = by_sign[letter]
            partner[one], partner[other] = other, one
    neighbour = np.zeros(len(places) * SLOTS, np.int16)
    for place, cell in cells.items():
        for direction in range(len(STEPS)):
            to = entered(map, wrap, place, direction)
            if to is not None:
                target = partner[cells[to]] or cells[to]
                # Who stands on a cell cannot enter it: such a direction is closed.
                neighbour[SLOTS * cell + direction] = 0 if target == cell else target
    starts = tuple(by_sign[digit][0] for digit in STARTS if digit in by_sign)
    return Board(neighbour, places, partner, starts)


def _places(map: TronMap) -> tuple[Place, ...]:
    """The place of each cell, by number."""
    found = [(-1, -1, -1)]
    for floor in range(len(map.floors)):
        for y in range(map.height):
            row = map.floors[floor][map.height - 1 - y]
            found += [(x, y, floor) for x, sign in enumerate(row) if sign != WALL]
    return tuple(found)


def two_colour_bound(board: Board, start: int) -> int | None:
    """No bike that begins on the cell `start` makes more moves, alone.

    None where the cells that it can reach have no two colours that alternate along every move (an
    odd way round a wrapped edge, say): there this argument says nothing.
    """
    colour = _colours(board, start)
    if colour is None:
        return None
    # The bike stands on one end of a pair only, so two ends of one colour are one cell.
    ends = {cell for cell in colour if colour[cell] == colour.get(int(board.partner[cell]))}
    count = [0, 0]  # of cells that can be stood on, of the start's colour and of the other
    for cell, own in colour.items():
        count[own] += cell not in ends or cell < int(board.partner[cell])
    return _moves(*count)


def _moves(same: int, other: int) -> int:
    """The longest alternating path that begins on the first colour, in moves."""
    return 2 * other if same > other else 2 * same - 1


def _colours(board: Board, start: int) -> dict[int, int] | None:
    """The colour of each cell that can be reached, 0 for the start; None if there are no two."""
    colour = {start: 0}
    reached = [start]
    for cell in reached:
        for entry in board.neighbour[SLOTS * cell : SLOTS * cell + len(STEPS)]:
            near = int(entry)
            if near and near not in colour:
                colour[near] = 1 - colour[cell]
                reached.append(near)
            elif near and colour[near] == colour[cell]:
                return None
    return colour
