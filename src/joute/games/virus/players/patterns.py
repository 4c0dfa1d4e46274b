"""A learned evaluation of Virus: how each window of 3 x 3 cells looks, beside the fitted features.

The value is in log-odds of winning, for the player to move: a weight for each of the eight features
of `virus`, and one for each window by its pattern (each of nine cells empty, of the player to move,
or of the other). Windows inside, at an edge and in a corner of the grid have weights of their own;
patterns that a symmetry of such a place makes alike share theirs. All weights depend on the phase
of the game.

Such sums of tables are the n-tuple networks of Buro, "From simple features to sophisticated
evaluation functions" (1998), and Lucas, "Learning to play Othello with n-tuple systems" (2007).
`learned.npz` holds weights and the command that learned them.

Weights: float32[PHASES * (FEATURES + patterns)]; the features of a phase, then its patterns.
"""

from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from joute.bots import Evaluation
from joute.core.arrays import index
from joute.core.interface import OVER, implements, inline, mover
from joute.games.virus.players.evaluation import Hand, features, final, fitted, weighted
from joute.games.virus.rules import ROWS, STRIDE, Virus
from joute.i18n.words import Sentence

DECISIVE = 2.0  # log-odds of winning that often decide a game
SIZE = 10  # rows of the grid that the weights are for
PHASES = 12
PER_PHASE = 9  # empty cells
FEATURES = 8
PATTERNS = 3**9
KINDS = 9  # of windows, row by row: the top left corner, the top edge, the top right corner ...
SHIPPED = "learned.npz"

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


def evaluations(game: Any) -> dict[str, Evaluation]:
    """The evaluations of the game, by name: none of large grids, the learned one of 10 x 10."""
    if not isinstance(game, Virus):
        return {}
    known = {"hand": Evaluation(Hand), "fitted": Evaluation(fitted, DECISIVE)}
    return known | ({"learned": Evaluation(learned, DECISIVE)} if game.size == SIZE else {})


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


def learned() -> Patterns:
    """The evaluation of the weights that are shipped."""
    return evaluation(shipped_weights())


@cache
def shipped_weights() -> np.ndarray:
    """The weights that are shipped."""
    with files("joute.games.virus.players").joinpath(SHIPPED).open("rb") as file:
        return read_weights(file)


def read_weights(file: Any) -> np.ndarray:
    """Weights from an open file. Raises ValueError, KeyError or EOFError for another file."""
    weights: np.ndarray = np.load(file, allow_pickle=False)["weights"].astype(np.float32)
    expected = first_weights().shape
    if weights.shape != expected:
        counts = {"expected": expected[0], "found": weights.size}
        raise ValueError(Sentence("error.virus.weights.count", **counts))
    return weights


@cache
def classes() -> tuple[np.ndarray, int]:
    """The place of each kind of window and pattern among the different ones, and their number."""
    cells = np.arange(9).reshape(3, 3)
    digits = np.arange(PATTERNS)[:, None] // 3 ** np.arange(9) % 3

    def seen(order: np.ndarray) -> np.ndarray:
        """Of each pattern the one with its cell order[k] at k."""
        found: np.ndarray = digits[:, order.ravel()] @ 3 ** np.arange(9)
        return found

    turned = [np.rot90(cells, quarter) for quarter in range(4)]
    inside = np.min([seen(each) for one in turned for each in (one, one.T)], axis=0)
    top = np.minimum(seen(cells), seen(np.fliplr(cells)))
    corner = np.minimum(seen(cells), seen(cells.T))
    # Each edge is looked at as if it were the top, each corner as if it were the top left one.
    kinds = [
        corner[seen(cells)] + 2 * PATTERNS,
        top[seen(cells)] + PATTERNS,
        corner[seen(np.fliplr(cells))] + 2 * PATTERNS,
        top[seen(cells.T)] + PATTERNS,
        inside,
        top[seen(np.fliplr(cells).T)] + PATTERNS,
        corner[seen(np.flipud(cells))] + 2 * PATTERNS,
        top[seen(np.flipud(cells))] + PATTERNS,
        corner[seen(np.flip(cells))] + 2 * PATTERNS,
    ]
    different, places = np.unique(np.stack(kinds), return_inverse=True)
    return places.reshape(KINDS, PATTERNS).astype(np.int32), different.size


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
