"""The value of a matrix: two players choose at once, and one pays the other what stands there.

Von Neumann, "Zur Theorie der Gesellschaftsspiele" (1928): there are probabilities for the rows that
assure the chooser of rows of the value on average, whatever the other does, and probabilities for
the columns that hold it to that. Some square part of the matrix gives both (Shapley and Snow,
"Basic solutions of discrete games", 1950): in a matrix as small as the choices of one round, all
of them can be tried.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

import numpy as np

CLOSE = 1e-9  # that rounding may err


class Solution(NamedTuple):
    """The value for the chooser of rows, and the probabilities of the rows and the columns."""

    value: float
    rows: np.ndarray  # float64[rows]
    columns: np.ndarray  # float64[columns]


def solve(matrix: np.ndarray) -> Solution:
    """The value of float64[rows, columns], neither of which is 0, and how to play for it."""
    best: Solution | None = None
    wrong = float("inf")
    for found in _solutions(matrix):
        assured = float((found.rows @ matrix).min())
        conceded = float((matrix @ found.columns).max())
        if conceded - assured < wrong:
            best, wrong = found, conceded - assured
        if wrong <= CLOSE:
            break
    if best is None:
        raise ValueError("a matrix without numbers")
    return best


def _solutions(matrix: np.ndarray) -> Iterator[Solution]:
    """The mix that leaves the other indifferent, of each square part, the smallest first."""
    height, width = matrix.shape
    for size in range(1, min(height, width) + 1):
        for rows in combinations(range(height), size):
            for columns in combinations(range(width), size):
                part = matrix[np.ix_(rows, columns)]
                found = _indifferent(part), _indifferent(part.T)
                if found[0] is None or found[1] is None:
                    continue
                chances = np.zeros(height), np.zeros(width)
                chances[0][list(rows)], chances[1][list(columns)] = found
                yield Solution(float(chances[0] @ matrix @ chances[1]), *chances)


def _indifferent(part: np.ndarray) -> np.ndarray | None:
    """The probabilities of the rows with which all columns are worth as much; None without any."""
    size = len(part)
    equations = np.ones((size + 1, size + 1))
    equations[:size, :size] = part.T
    equations[:size, size] = -1.0
    equations[size, size] = 0.0
    try:
        chances = np.linalg.solve(equations, np.append(np.zeros(size), 1.0))[:size]
    except np.linalg.LinAlgError:
        return None
    return None if chances.min() < -CLOSE else np.maximum(chances, 0.0)
