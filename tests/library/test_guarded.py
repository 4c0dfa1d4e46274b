"""A negative index is refused where it was computed, and taken where it is written down."""

import numpy as np
import pytest
from games.examples import ConnectFour

from joute.core.interface import implements
from joute.library.guarded import Guarded, GuardedArray, GuardedGame

LAST = -1
TABLE = np.arange(6)
CONTAINERS = [Guarded(range(6)), np.arange(6).view(GuardedArray)]


@pytest.mark.parametrize("numbers", CONTAINERS, ids=["list", "array"])
def test_a_number_or_a_constant_in_the_source_is_meant(numbers):
    assert numbers[-1] == numbers[LAST] == numbers[5] == 5
    numbers[-2] = numbers[-2] + 0
    numbers[LAST] = numbers[5]
    assert list(numbers[-3:]) == [3, 4, 5]


@pytest.mark.parametrize("numbers", CONTAINERS, ids=["list", "array"])
@pytest.mark.parametrize("place", [-2, np.int64(-2)])
def test_an_index_that_was_computed_is_refused(numbers, place):
    with pytest.raises(IndexError, match="index -2 is negative"):
        numbers[place + 0]
    with pytest.raises(IndexError, match="index -2 is negative"):
        numbers[place + 0] = 1
    assert numbers[place + 4] == 2


def test_rows_of_an_array_are_guarded_too():
    rows = np.arange(6).reshape(2, 3).view(GuardedArray)
    row, place = rows[1], -1
    assert row[-1] == rows[1, -1] == 5
    for read in (lambda: row[place + 0], lambda: rows[0, place * 1], lambda: rows[place * 1, 0]):
        with pytest.raises(IndexError, match="index -1 is negative"):
            read()


class Tabled(ConnectFour):
    """A game with a table beside it."""


@implements(Tabled)
def points(game, state, player):
    return TABLE[player]


def test_the_tables_of_a_game_are_guarded_while_it_is_looked_at():
    with GuardedGame(Tabled()) as game:
        assert points(game, [], 2) == 2
        with pytest.raises(IndexError, match="index -3 is negative"):
            points(game, [], -3)
    assert type(TABLE) is np.ndarray
    assert points(game, [], -3) == 3


@pytest.mark.parametrize("container", CONTAINERS, ids=["list", "array"])
def test_they_are_written_out_as_what_they_guard(container):
    assert str(container).replace(",", "") == "[0 1 2 3 4 5]"
    assert "0, 1, 2, 3, 4, 5" in repr(container)
