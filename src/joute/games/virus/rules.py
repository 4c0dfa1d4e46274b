"""The virus game: two players spread over a square grid.

Each player starts on two opposite corners. An action puts a stone on an empty cell that touches
(diagonally too) a stone of the mover; every opposing stone that touches the new one changes side,
without chain reaction. A player who cannot play passes; passing by choice is a parameter. The game
ends when the grid is full, or after two passes in a row; more stones win. Who starts is drawn.

Source: README of github.com/Darkneew/HX2-virus (the contest of the HX2 class) and its engine, where
two passes while somebody could play would go on for ever.

State:  int64[6]: the stones of player 0 (rows 0 to 4, rows 5 to 9), those of player 1, who is to
        move, passes in a row. A word holds five rows of 11 bits; the eleventh column stays empty
        and keeps a shift by one from reaching the next row. Smaller grids use the upper left part.
Action: int, the cell, row by row; size * size is a pass. Chance draws the player who starts.

Grids above 10 x 10 are played on cells, not bits (`VirusGrid`):

State:  int16[size * size + 3]: each cell (-1 empty, else its player), then the empty cells left,
        who is to move, passes in a row.

Features: float32[4, size, size]: the player's own stones; the other's; 1 everywhere where it
is the player to act; 1 everywhere where the last action was a pass. Both players have the same.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import index, kth, lowest, popcount
from joute.core.errors import in_range, truth
from joute.core.interface import CHANCE, OVER, implements, inline, points
from joute.core.random import below
from joute.games.virus.text import serve

SMALLEST, LARGEST = 3, 20
LARGEST_ON_BITS = 10

STRIDE = 11  # bits from a row to the next
ROWS = 5  # rows in a word
ROW = (1 << STRIDE) - 1
LAST_ROW = STRIDE * (ROWS - 1)

MOVER, PASSES = 4, 5  # places in the state

EMPTY = -1
LEFT, GRID_MOVER, GRID_PASSES = -3, -2, -1  # places in the state of a grid

PLANES = 4  # of the features


class Virus(NamedTuple):
    """Virus on bit boards: sizes 3 to 10."""

    size: int = 10
    voluntary_pass: bool = True


class VirusGrid(NamedTuple):
    """Virus on a grid of cells: sizes 3 to 20."""

    size: int = 20
    voluntary_pass: bool = True


def make(*, size: Any = 10, voluntary_pass: Any = True) -> Any:
    """Virus on a size x size grid. Raises GameError unless size is in 3..20."""
    in_range("virus", "size", size, SMALLEST, LARGEST)
    truth("virus", "voluntary_pass", voluntary_pass)
    if size <= LARGEST_ON_BITS:
        return Virus(size, voluntary_pass)
    return VirusGrid(size, voluntary_pass)


def _tables() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Per size: the board of all cells, of each cell, of those touching each cell (it included);
    the cell of each bit, numbered 64 * word + its place in the word; the place of each cell.
    """
    sizes = LARGEST_ON_BITS + 1
    full = np.zeros((sizes, 2), np.int64)
    stone = np.zeros((sizes, LARGEST_ON_BITS**2, 2), np.int64)
    around = np.zeros((sizes, LARGEST_ON_BITS**2, 2), np.int64)
    cell_of = np.zeros((sizes, 128), np.int64)
    place_of = np.zeros((sizes, LARGEST_ON_BITS**2), np.int64)
    for size in range(SMALLEST, sizes):
        for cell in range(size * size):
            row, column = divmod(cell, size)
            word, place = row // ROWS, STRIDE * (row % ROWS) + column
            stone[size, cell, word] = 1 << place
            cell_of[size, 64 * word + place] = cell
            place_of[size, cell] = place
        full[size] = np.bitwise_or.reduce(stone[size])
        for cell in range(size * size):
            near = touching(*stone[size, cell].tolist())
            around[size, cell] = [near[word] & int(full[size, word]) for word in (0, 1)]
    return full, stone, around, cell_of, place_of


@inline
def touching(low, high):
    """Cells touching those of a board given as two words, themselves included; with stray bits."""
    low |= low << 1 | low >> 1
    high |= high << 1 | high >> 1
    return (
        low | low << STRIDE | low >> STRIDE | (high & ROW) << LAST_ROW,
        high | high << STRIDE | high >> STRIDE | low >> LAST_ROW,
    )


FULL, STONE, AROUND, CELL_OF, PLACE_OF = _tables()


@implements(Virus)
def start(game: Virus) -> np.ndarray:
    state = np.zeros(6, np.int64)
    last = game.size - 1
    for player, row, column in ((0, 0, 0), (0, last, last), (1, 0, last), (1, last, 0)):
        state[2 * player : 2 * player + 2] |= STONE[game.size, row * game.size + column]
    state[MOVER] = CHANCE
    return state


@implements(Virus)
def mover(game, state):
    return int(state[MOVER])


@implements(Virus)
def legal(game, state, out):
    low, high = _targets(game, state)
    count = 0
    while low:
        out[count] = int(CELL_OF[index(game.size), index(lowest(low))])
        low &= low - 1
        count += 1
    while high:
        out[count] = int(CELL_OF[index(game.size), index(64 + lowest(high))])
        high &= high - 1
        count += 1
    if game.voluntary_pass or count == 0:
        out[count] = game.size * game.size
        count += 1
    return count


@implements(Virus)
def pick(game, state, out, rng):
    low, high = _targets(game, state)
    lower = popcount(low)
    cells = lower + popcount(high)
    count = cells + (game.voluntary_pass or cells == 0)
    rank = below(rng, count) if count > 1 else 0
    if rank >= cells:
        return game.size * game.size
    # Which of the words is a toss-up, so it is chosen by a mask (-1: low, 0: high), not a branch.
    in_low = (rank - lower) >> 63
    word = (low & in_low) | (high & ~in_low)
    bit = (64 & ~in_low) + kth(word, rank - (lower & ~in_low))
    return int(CELL_OF[index(game.size), index(bit)])


@implements(Virus)
def mask(game, state, row, out):
    # The compiler makes vectors of loops over all cells; one over the bits is a third as fast.
    size, (low, high) = game.size, _targets(game, state)
    half = min(size, ROWS) * size
    for cell in range(half):
        row[index(cell)] = low >> int(PLACE_OF[index(size), index(cell)]) & 1 != 0
    for cell in range(half, size * size):
        row[index(cell)] = high >> int(PLACE_OF[index(size), index(cell)]) & 1 != 0
    row[index(size * size)] = game.voluntary_pass or (low | high) == 0


@implements(Virus)
def play(game, state, action):
    player = int(state[MOVER])
    if player == CHANCE:
        state[MOVER] = action
        return
    state[MOVER] = 1 - player
    if action == game.size * game.size:
        state[PASSES] += 1
        if state[PASSES] == 2:
            state[MOVER] = OVER
        return
    state[PASSES] = 0
    size, cell = index(game.size), index(action)
    own, other = 2 * player, 2 - 2 * player
    turned_low = int(AROUND[size, cell, 0]) & int(state[index(other)])
    turned_high = int(AROUND[size, cell, 1]) & int(state[index(other + 1)])
    state[index(own)] |= int(STONE[size, cell, 0]) | turned_low
    state[index(own + 1)] |= int(STONE[size, cell, 1]) | turned_high
    state[index(other)] ^= turned_low
    state[index(other + 1)] ^= turned_high
    # While a cell is empty, some empty cell touches a stone, so one of the players can play.
    full_low, full_high = int(FULL[size, 0]), int(FULL[size, 1])
    if (state[0] | state[2]) == full_low and (state[1] | state[3]) == full_high:
        state[MOVER] = OVER


@implements(Virus)
def promise(game, state, action):
    if action == game.size * game.size:
        return 0
    size, cell = index(game.size), index(action)
    other = 2 - 2 * int(state[MOVER])
    low = int(AROUND[size, cell, 0]) & int(state[index(other)])
    high = int(AROUND[size, cell, 1]) & int(state[index(other + 1)])
    return 1 + popcount(low) + popcount(high)


@implements(VirusGrid)
@implements(Virus)
def chances(game, state, out, weights):
    out[0], out[1] = 0, 1
    weights[0] = weights[1] = 0.5
    return 2


@implements(VirusGrid)
@implements(Virus)
def returns(game, state, out):
    lead = points(game, state, 0) - points(game, state, 1)
    out[0] = (lead > 0) - (lead < 0)
    out[1] = (lead < 0) - (lead > 0)


@implements(Virus, "points")
@inline
def _stones(game, state, player):
    return popcount(state[index(2 * player)]) + popcount(state[index(2 * player + 1)])


@implements(Virus)
def lead_bounds(game, state, player):
    # A stone without an empty neighbour stays its owner's.
    empty_low = int(FULL[index(game.size), 0]) & ~int(state[0] | state[2])
    empty_high = int(FULL[index(game.size), 1]) & ~int(state[1] | state[3])
    low, high = touching(empty_low, empty_high)
    own, other = index(2 * player), index(2 - 2 * player)
    kept = popcount(int(state[own]) & ~low) + popcount(int(state[own + 1]) & ~high)
    lost = popcount(int(state[other]) & ~low) + popcount(int(state[other + 1]) & ~high)
    area = game.size * game.size
    return float(2 * kept - area), float(area - 2 * lost)


@implements(VirusGrid)
@implements(Virus)
def fault_action(game, state, player):
    return game.size * game.size


@inline
def _targets(game, state):
    """The empty cells that touch a stone of the player to move."""
    own = 2 * int(state[MOVER])
    low, high = touching(int(state[index(own)]), int(state[index(own + 1)]))
    return (
        low & int(FULL[index(game.size), 0]) & ~int(state[0] | state[2]),
        high & int(FULL[index(game.size), 1]) & ~int(state[1] | state[3]),
    )


@implements(Virus)
def grid(game: Virus, state: Any) -> str:
    cells = ["."] * (game.size * game.size)
    for player in (0, 1):
        for word in (0, 1):
            stones = int(state[2 * player + word])
            while stones:
                cells[CELL_OF[game.size, 64 * word + lowest(stones)]] = str(player)
                stones &= stones - 1
    return "".join(cells)


# The grid of cells.


@implements(VirusGrid, "start")
def _grid_start(game: VirusGrid) -> np.ndarray:
    area = game.size * game.size
    state = np.full(area + 3, EMPTY, np.int16)
    state[0] = state[area - 1] = 0
    state[game.size - 1] = state[area - game.size] = 1
    state[LEFT], state[GRID_MOVER], state[GRID_PASSES] = area - 4, CHANCE, 0
    return state


@implements(VirusGrid, "mover")
def _grid_mover(game, state):
    return int(state[GRID_MOVER])


@implements(VirusGrid, "legal")
def _grid_legal(game, state, out):
    count = 0
    for cell in range(game.size * game.size):
        if state[cell] == EMPTY and _touches(game, state, cell, state[GRID_MOVER]):
            out[count] = cell
            count += 1
    if game.voluntary_pass or count == 0:
        out[count] = game.size * game.size
        count += 1
    return count


@implements(VirusGrid, "play")
def _grid_play(game, state, action):
    player = int(state[GRID_MOVER])
    if player == CHANCE:
        state[GRID_MOVER] = action
        return
    state[GRID_MOVER] = 1 - player
    if action == game.size * game.size:
        state[GRID_PASSES] += 1
        if state[GRID_PASSES] == 2:
            state[GRID_MOVER] = OVER
        return
    state[GRID_PASSES] = 0
    state[action] = player
    row, column = action // game.size, action % game.size
    for near_row in range(max(row - 1, 0), min(row + 2, game.size)):
        for near_column in range(max(column - 1, 0), min(column + 2, game.size)):
            near = near_row * game.size + near_column
            if state[near] == 1 - player:
                state[near] = player
    state[LEFT] -= 1
    if state[LEFT] == 0:
        state[GRID_MOVER] = OVER


@implements(VirusGrid, "points")
@inline
def _grid_points(game, state, player):
    count = 0
    for cell in range(game.size * game.size):
        if state[cell] == player:
            count += 1
    return count


@inline
def _touches(game, state, cell, player):
    row, column = cell // game.size, cell % game.size
    for near_row in range(max(row - 1, 0), min(row + 2, game.size)):
        for near_column in range(max(column - 1, 0), min(column + 2, game.size)):
            if state[near_row * game.size + near_column] == player:
                return True
    return False


@implements(VirusGrid, "grid")
def _grid_text(game: VirusGrid, state: Any) -> str:
    return "".join(".01"[int(cell) + 1] for cell in state[: game.size * game.size])


@implements(Virus, "features_shape")
@implements(VirusGrid, "features_shape")
def features_shape(game: Virus | VirusGrid) -> tuple[int, ...]:
    return (PLANES, game.size, game.size)


@implements(Virus, "features")
def _bit_features(game, state, player, out):
    size = game.size
    cells = size * size
    half = min(size, ROWS) * size
    for side in range(2):
        own = index(2 * player if side == 0 else 2 - 2 * player)
        low, high, plane = int(state[own]), int(state[own + 1]), side * cells
        for cell in range(half):
            place = int(PLACE_OF[index(size), index(cell)])
            out[index(plane + cell)] = float(low >> place & 1)
        for cell in range(half, cells):
            place = int(PLACE_OF[index(size), index(cell)])
            out[index(plane + cell)] = float(high >> place & 1)
    out[2 * cells : 3 * cells] = 1.0 if state[MOVER] == player else 0.0
    out[3 * cells : 4 * cells] = 1.0 if state[PASSES] > 0 else 0.0


@implements(VirusGrid, "features")
def _grid_features(game, state, player, out):
    cells = game.size * game.size
    moves, passed = (
        (1.0 if state[GRID_MOVER] == player else 0.0),
        (1.0 if state[GRID_PASSES] > 0 else 0.0),
    )
    for place in range(cells):
        stone = int(state[index(place)])
        out[index(place)] = 1.0 if stone == player else 0.0
        out[index(cells + place)] = 1.0 if stone == 1 - player else 0.0
        out[index(2 * cells + place)] = moves
        out[index(3 * cells + place)] = passed


serve(Virus)
serve(VirusGrid)
