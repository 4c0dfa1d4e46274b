"""Vampires vs Werewolves in memory: the parameters, and the layout of a state.

State:  int16 or int32 [TARGETS + most_targets + 2 * size + 2 * words]. First the player to move,
        the phase (CHOOSING, BATTLES, ENDED), turns done, vampires, werewolves, the last move's
        source and direction + 1, moves chosen, targets chosen or battles to fight, the battle being
        fought, the winner + 1. Then the targets, ascending; then the cells with a border around
        them, each kind * KIND + count; then what the order does to each cell (0 nothing, SOURCE,
        n > 0 arrivals); then by player the cells of its groups as bits, BITS in a word.
Action: DONE, or (cell * 8 + direction) * KIND + count. Outcome of a battle: survivors, and WON more
        if the attack won. STOP, which only the clock plays, ends the game between two orders.

A cell is numbered with the border, row by row from the upper left; so are the eight directions.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.interface import implements, inline

MOVER, PHASE, TURNS, COUNTS, SOURCE_CELL, NEXT_DIRECTION = 0, 1, 2, 3, 5, 6  # places in the state
MOVES, TARGET_COUNT, BATTLE, WINNER = 7, 8, 9, 10
TARGETS = 16  # place of the first target
CHOOSING, BATTLES, ENDED = 0, 1, 2

EMPTY, HUMANS, VAMPIRES, WEREWOLVES, BORDER = range(5)  # kinds; a player's is VAMPIRES + player
SPECIES = ("vampires", "werewolves")
GROUPS = ("", "humans", *SPECIES)  # by kind
LETTERS = ".hVW"  # by kind
KIND = 256
MOST = 255  # in a cell, arrivals in a cell, moves of an order
SOURCE = -1  # what the order does to a cell that units leave

DONE, STOP = 0, 1
WON = 512
BITS = 15  # cells in a word of bits: the sign stays out of an int16


class Vampires(NamedTuple):
    """A grid with its first groups."""

    rows: int
    columns: int
    plies: int  # the limit of turns, both players' counted
    split: bool  # every count is offered; else only whole groups
    wrap_counts: bool  # joining counts wrap at 256; else they stop at 255
    stride: int  # cells in a row, the border included
    size: int  # cells in all, the border included
    words: int  # that hold a bit for each cell
    most_targets: int
    most_units: int  # that one species can ever have
    cells: np.ndarray  # int16[rows * columns], row by row: kind * KIND + count
    source: np.ndarray  # uint8, the settings as JSON


@inline
def first_cell(game):
    """The place in the state of cell 0, a corner of the border."""
    return TARGETS + game.most_targets


@inline
def first_plan(game):
    """The place in the state of what the order does to cell 0."""
    return TARGETS + game.most_targets + game.size


@inline
def first_word(game, player):
    """The place in the state of a player's groups as bits."""
    return TARGETS + game.most_targets + 2 * game.size + player * game.words


@inline
def step(game, direction):
    """The difference that a direction makes to a cell's number."""
    around = direction + (direction >= 4)
    return (around // 3 - 1) * game.stride + around % 3 - 1


@inline
def word_of(cell):
    """The word with the bit of a cell: cell // BITS.

    Compiled division would take care of negative numbers. 34953 * 15 is 2^19 + 7, so this is exact
    below 2^19 / 7, and there are 257 * 257 cells at most.
    """
    return cell * 34953 >> 19


@inline
def flip(game, state, player, cell):
    """Enters a cell among the groups of a player, or takes it out."""
    word = word_of(cell)
    state[index(first_word(game, player) + word)] ^= 1 << (cell - BITS * word)


@inline
def put(game, state, cell, kind, units):
    """Gives a cell to a kind, EMPTY without units; the bits of the groups follow."""
    place = index(first_cell(game) + cell)
    before = int(state[place]) // KIND
    if units == 0:
        kind = EMPTY
    if before != kind:
        if before >= VAMPIRES:
            flip(game, state, before - VAMPIRES, cell)
        if kind >= VAMPIRES:
            flip(game, state, kind - VAMPIRES, cell)
    state[place] = kind * KIND + units


def cell_at(game: Vampires, x: int, y: int) -> int:
    """The cell of a column and a row, from 0."""
    return (y + 1) * game.stride + x + 1


def place_of(game: Vampires, cell: int) -> tuple[int, int]:
    """The column and the row of a cell."""
    y, x = divmod(cell, game.stride)
    return x - 1, y - 1


def content(game: Vampires, state: Any, x: int, y: int) -> tuple[int, int]:
    """The content of a cell of the grid: kind and count."""
    return divmod(int(state[first_cell(game) + cell_at(game, x, y)]), KIND)


def arrivals(game: Vampires, state: Any, cell: int) -> int:
    """The effect of the order on a cell: SOURCE, or how many come there."""
    return int(state[first_plan(game) + cell])


@implements(Vampires)
def start(game: Vampires) -> np.ndarray:
    length = first_word(game, 2)
    wide = length >= 1 << 15 or game.most_units >= 1 << 15
    state = np.zeros(length, np.int32 if wide else np.int16)
    grid = state[first_cell(game) :][: game.size].reshape(game.rows + 2, -1)
    grid[:] = BORDER * KIND
    grid[1:-1, 1:-1] = game.cells.reshape(game.rows, game.columns)
    for number, held in enumerate(game.cells.tolist()):
        player = held // KIND - VAMPIRES
        if player >= 0:
            y, x = divmod(number, game.columns)
            flip(game, state, player, cell_at(game, x, y))
            state[COUNTS + player] += held % KIND
    return state
