"""The value of a small matrix, and the probabilities that assure it."""

import numpy as np
import pytest

from joute.search.matrix import solve


@pytest.mark.parametrize(
    ("matrix", "value", "rows", "columns"),
    [
        ([[3.0]], 3.0, [1], [1]),
        ([[1, -1], [-1, 1]], 0.0, [0.5, 0.5], [0.5, 0.5]),
        ([[0, 3], [-3, 0]], 0.0, [1, 0], [1, 0]),  # who gives way loses whatever the other does
        ([[-4, 3], [-1, -2]], -1.375, [0.125, 0.875], [0.625, 0.375]),
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0.0, [1 / 3] * 3, [1 / 3] * 3),
        ([[2, 0, 1], [0, 2, 1]], 1.0, None, None),
        ([[5], [7], [6]], 7.0, [0, 1, 0], [1]),
    ],
)
def test_the_value_of_a_matrix_is_what_both_can_assure(matrix, value, rows, columns):
    found = solve(np.array(matrix, float))
    assert found.value == pytest.approx(value)
    if rows is not None:
        assert found.rows == pytest.approx(rows)
        assert found.columns == pytest.approx(columns)


@pytest.mark.parametrize("seed", range(20))
def test_no_row_and_no_column_does_better_than_the_value(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-3, 4, (1 + seed % 6, 1 + seed // 4)).astype(float)
    found = solve(matrix)
    assert (found.rows @ matrix).min() == pytest.approx(found.value)
    assert (matrix @ found.columns).max() == pytest.approx(found.value)
    assert found.rows.sum() == pytest.approx(1) and found.columns.sum() == pytest.approx(1)


def test_a_matrix_without_numbers_has_no_value():
    with pytest.raises(ValueError, match="without numbers"):
        solve(np.full((1, 1), np.nan))
