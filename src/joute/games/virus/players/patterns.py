"""A learned evaluation of Virus: how each window of 3 x 3 cells looks, beside the fitted features.

The value is in log-odds of winning, for the player to move: a weight for each of the eight features
of `virus`, and one for each window by its pattern (each of nine cells empty, of the player to move,
or of the other). Windows inside, at an edge and in a corner of the grid have weights of their own;
patterns that a symmetry of such a place makes alike share theirs. All weights depend on the phase
of the game.

Such sums of tables are the n-tuple networks of Buro, "From simple features to sophisticated
evaluation functions" (1998), and Lucas, "Learning to play Othello with n-tuple systems" (2007).

Weights: float32[PHASES * (FEATURES + patterns)]; the features of a phase, then its patterns.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.interface import OVER, implements, inline, mover
from joute.games.virus.players.evaluation import features, final, fitted, weighted
from joute.games.virus.rules import ROWS, STRIDE
from joute.search.evaluation import evaluate

SIZE = 10  # rows of the grid that the weights are for
PHASES = 12
PER_PHASE = 9  # empty cells
FEATURES = 8
PATTERNS = 3**9
KINDS = 9  # of windows, row by row: the top left corner, the top edge, the top right corner ...

LANE = 16  # bits of a window's pattern, four of which make a word
LANE_MASK = (1 << LANE) - 1
CELLS = (1 << SIZE) - 1  # of a row


def _lanes(first: int) -> np.ndarray:
    """By the cells of a row: those of four windows, from column `first` on, as digits in base 3."""
    cells = np.arange(CELLS + 1)
    windows = [
        sum((cells >> first + column + k & 1) * 3**k for k in range(3)) for column in range(4)
    ]
    return sum(codes << LANE * lane for lane, codes in enumerate(windows))


_LEFT, _RIGHT = _lanes(0), _lanes(4)


class Patterns(NamedTuple):
    """The evaluation."""

    tables: np.ndarray  # float32[PHASES, KINDS, PATTERNS]
    weights: np.ndarray  # float64[PHASES, FEATURES]


def first_weights() -> np.ndarray:
    """Weights that make the value that of the fitted evaluation: float32."""
    weights = np.zeros((PHASES, FEATURES + classes()[1]), np.float32)
    weights[:, :FEATURES] = fitted().weights
    return weights.ravel()


def evaluation(weights: np.ndarray) -> Patterns:
    """The evaluation of these weights."""
    places, count = classes()
    table = weights.reshape(PHASES, FEATURES + count)
    shown = np.ascontiguousarray(table[:, FEATURES:][:, places], np.float32)
    return Patterns(shown, table[:, :FEATURES].astype(np.float64))


@cache
def classes() -> tuple[np.ndarray, int]:
    """The place of each kind of window and pattern among the different ones, and their number."""
    kinds = [
        np.min([numbered(order) for order in orders], axis=0) + family * PATTERNS
        for family, orders in orders_of()
    ]
    different, places = np.unique(np.stack(kinds), return_inverse=True)
    return places.reshape(KINDS, PATTERNS).astype(np.int32), different.size


def numbered(order: np.ndarray) -> np.ndarray:
    """Of each pattern the one with its cell order[k] at k: int64[PATTERNS]."""
    digits = np.arange(PATTERNS)[:, None] // 3 ** np.arange(9) % 3
    found: np.ndarray = digits[:, order] @ 3 ** np.arange(9)
    return found


def orders_of() -> list[tuple[int, list[np.ndarray]]]:
    """By kind of window: its family (inside, edge, corner), and the orders of cells alike in it.

    Each edge is looked at as if it were the top, each corner as if it were the top left one.
    """
    cells = np.arange(9).reshape(3, 3)
    turned = [np.rot90(cells, quarter) for quarter in range(4)]
    inside, edge, corner = 0, 1, 2
    alike = {
        inside: [each for one in turned for each in (one, one.T)],
        edge: [cells, np.fliplr(cells)],
        corner: [cells, cells.T],
    }
    kinds = (
        (corner, cells), (edge, cells), (corner, np.fliplr(cells)),
        (edge, cells.T), (inside, cells), (edge, np.fliplr(cells).T),
        (corner, np.flipud(cells)), (edge, np.flipud(cells)), (corner, np.flip(cells)),
    )  # fmt: skip
    return [
        (family, [seen.ravel()[order.ravel()] for order in alike[family]]) for family, seen in kinds
    ]


@inline
def cells_of(low, high, row):
    """The cells of a row, of a board given as two words."""
    word = low if row < ROWS else high
    return (word >> (STRIDE * (row % ROWS))) & CELLS


@inline
def band_of(row):
    """The kind of the first window of three rows, of which `row` is the last."""
    return 3 * ((row > 2) + (row == SIZE - 1))


@implements(Patterns, "evaluate")
def _patterns(evaluation, game, state, player):
    to_move = mover(game, state)
    if to_move == OVER:
        return final(game, state, player)
    stones, own, other, safe, mine, theirs, both, empty = features(game, state, to_move)
    phase = index(empty // PER_PHASE)
    weights, tables = evaluation.weights[phase], evaluation.tables[phase]
    value = weighted(weights, stones, own, other, safe, mine, theirs, both)
    own_place, other_place = 2 * to_move, 2 - 2 * to_move
    low, high = int(state[own_place]), int(state[own_place + 1])
    their_low, their_high = int(state[other_place]), int(state[other_place + 1])
    # Four sums, so that an addition need not wait for the one before.
    one = two = three = four = 0.0
    top_left = top_right = middle_left = middle_right = 0
    for row in range(SIZE):
        my_cells, their_cells = cells_of(low, high, row), cells_of(their_low, their_high, row)
        left = _LEFT[index(my_cells)] + 2 * _LEFT[index(their_cells)]
        right = _RIGHT[index(my_cells)] + 2 * _RIGHT[index(their_cells)]
        if row >= 2:
            band = band_of(row)
            first = tables[index(band)]
            between = tables[index(band + 1)]
            last = tables[index(band + 2)]
            seen = top_left + 27 * middle_left + 729 * left
            one += first[index(seen & LANE_MASK)]
            two += between[index((seen >> LANE) & LANE_MASK)]
            three += between[index((seen >> 2 * LANE) & LANE_MASK)]
            four += between[index(seen >> 3 * LANE)]
            seen = top_right + 27 * middle_right + 729 * right
            one += between[index(seen & LANE_MASK)]
            two += between[index((seen >> LANE) & LANE_MASK)]
            three += between[index((seen >> 2 * LANE) & LANE_MASK)]
            four += last[index(seen >> 3 * LANE)]
        top_left, top_right, middle_left, middle_right = middle_left, middle_right, left, right
    value += (one + two) + (three + four)
    return value if player == to_move else -value


@implements(Patterns, "evaluate_leaf")
def _chances(evaluation, game, state, scale, out):
    # The mean return at these log-odds of winning; a scale is not needed.
    out[0] = math.tanh(0.5 * evaluate(evaluation, game, state, 0))
    out[1] = -out[0]
    return True
