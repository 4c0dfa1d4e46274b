"""A learned policy of Virus: how much an action deserves, by the windows of 3 x 3 cells it is in.

The weight of an action is exp(a sum of weights, one for each window that holds its cell): by the
window's pattern, its place on the grid and the cell's place in it, as `patterns` has them. So it
sees 5 x 5 cells. Patterns that a symmetry makes alike share their weights. All weights depend on
the phase of the game; a pass has weights of its own.

Weights: float32[PHASES * (PASSES + patterns)]; those of a pass in a phase, then its patterns.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from joute.core.arrays import index, popcount
from joute.core.interface import implements, inline, points
from joute.games.virus.players.patterns import (
    KINDS,
    PATTERNS,
    SIZE,
    band_of,
    cells_of,
    numbered,
    orders_of,
)
from joute.games.virus.players.spread import OPEN, TURNED
from joute.games.virus.rules import MOVER, PASSES

PHASES = 4
PER_PHASE = 25  # empty cells
CELLS = 9  # of a window
PASS_WEIGHTS = 2  # of a pass: usually; where it ends the game and wins
FIRST_PASS = (-6.0, 3.0)

EDGE = 2  # windows beside the grid, on each side, that hold no cell of it
ACROSS = SIZE - 2 + 2 * EDGE


class WindowPolicy(NamedTuple):
    """The policy; it belongs to one thread."""

    tables: np.ndarray  # float32[PHASES, 1 + KINDS * PATTERNS, CELLS]; row 0 is of no window
    passing: np.ndarray  # float32[PHASES, PASS_WEIGHTS]
    rows: np.ndarray  # int32[ACROSS, ACROSS], scratch: the row of each window


def policy(weights: np.ndarray) -> WindowPolicy:
    """The policy of these weights."""
    places, count = classes()
    table = weights.reshape(PHASES, PASS_WEIGHTS + count)
    tables = np.zeros((PHASES, 1 + KINDS * PATTERNS, CELLS), np.float32)
    tables[:, 1:] = table[:, PASS_WEIGHTS:][:, places.reshape(-1, CELLS)]
    passing = np.ascontiguousarray(table[:, :PASS_WEIGHTS], np.float32)
    return WindowPolicy(tables, passing, np.zeros((ACROSS, ACROSS), np.int32))


@cache
def classes() -> tuple[np.ndarray, int]:
    """The place of each kind of window, pattern and cell among the different ones; their number."""
    kinds = []
    digits = np.arange(PATTERNS)[:, None] // 3 ** np.arange(CELLS) % 3
    for family, orders in orders_of():
        # As it stands in the window turned by `order`, cell order[k] is at k.
        turned = [numbered(order)[:, None] * CELLS + np.argsort(order)[None, :] for order in orders]
        kind = np.min(turned, axis=0) + family * PATTERNS * CELLS
        kinds.append(np.where(digits == 0, kind, -1))  # nobody plays on a stone
    different, places = np.unique(np.stack(kinds), return_inverse=True)
    return places.reshape(KINDS, PATTERNS, CELLS).astype(np.int32), different.size


def first_weights() -> np.ndarray:
    """Weights by hand: stones that turn are good, empty cells around are bad."""
    places, count = classes()
    weights = np.zeros((PHASES, PASS_WEIGHTS + count), np.float32)
    weights[:, :PASS_WEIGHTS] = FIRST_PASS
    digits = np.arange(PATTERNS)[:, None] // 3 ** np.arange(CELLS) % 3
    for kind in range(KINDS):
        rows, columns = divmod(kind, 3)
        for cell in range(CELLS):
            row, column = divmod(cell, 3)
            whole = all(at == 1 or at == band == 0 or at == band == 2
                        for at, band in ((row, rows), (column, columns)))  # fmt: skip
            if not whole:  # another window holds all cells around this one
                continue
            around = [each for each in range(CELLS) if each != cell
                      and abs(each // 3 - row) <= 1 and abs(each % 3 - column) <= 1]  # fmt: skip
            turned = (digits[:, around] == 2).sum(axis=1)
            empty = (digits[:, around] == 0).sum(axis=1)
            weights[:, PASS_WEIGHTS + places[kind, :, cell]] = TURNED * turned + OPEN * empty
    return weights.ravel()


@inline
def phase_of(state):
    """The phase of the game, by the empty cells."""
    stones = popcount(state[0]) + popcount(state[1]) + popcount(state[2]) + popcount(state[3])
    return (SIZE * SIZE - stones) // PER_PHASE


@inline
def passing_of(game, state):
    """The weight that a pass has: 1 where it ends the game and wins, else 0."""
    player = int(state[MOVER])
    ahead = points(game, state, player) > points(game, state, 1 - player)
    return 1 if ahead and state[PASSES] > 0 else 0


@inline
def write_rows(state, rows):
    """Writes the row of each window; those beside the grid keep 0."""
    own, other = 2 * int(state[MOVER]), 2 - 2 * int(state[MOVER])
    low, high = int(state[index(own)]), int(state[index(own + 1)])
    their_low, their_high = int(state[index(other)]), int(state[index(other + 1)])
    for row in range(2, SIZE):
        band = band_of(row)
        for column in range(SIZE - 2):
            pattern = 0
            for above in range(3):
                mine = cells_of(low, high, row - above) >> column & 7
                theirs = cells_of(their_low, their_high, row - above) >> column & 7
                pattern = 27 * pattern + TERNARY[index(mine)] + 2 * TERNARY[index(theirs)]
            kind = band + (column > 0) + (column == SIZE - 3)
            rows[index(row - 2 + EDGE), index(column + EDGE)] = 1 + kind * PATTERNS + pattern


TERNARY = np.array([bits % 2 + 3 * (bits // 2 % 2) + 9 * (bits // 4) for bits in range(8)])


@implements(WindowPolicy, "prefer")
def _windows(policy, game, state, actions, count, weights):
    write_rows(state, policy.rows)
    phase = index(phase_of(state))
    table, rows = policy.tables[phase], policy.rows
    for each in range(count):
        action = int(actions[index(each)])
        if action == SIZE * SIZE:
            total = float(policy.passing[phase, index(passing_of(game, state))])
        else:
            total = 0.0
            row, column = action // SIZE, action % SIZE
            for down in range(3):
                for right in range(3):
                    # The window that begins so many cells above and to the left.
                    window = rows[index(row - down + EDGE), index(column - right + EDGE)]
                    total += table[index(window), index(3 * down + right)]
        weights[index(each)] = math.exp(total)
