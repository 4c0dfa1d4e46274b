"""The bench of expectimax searches what it says; speed is no matter here."""

import pytest

from bench.vampires_search import AIMS, EVERY, positions, search_row
from joute.core.interface import mover
from joute.core.registry import make
from joute.games.vampires.state import TURNS


def test_positions_are_turns_of_one_game():
    found = positions(make("vampires"), 3)
    assert [int(state[TURNS]) for state in found] == [0, EVERY, 2 * EVERY]
    assert all(mover(make("vampires"), state) in (0, 1) for state in found)


@pytest.mark.full
@pytest.mark.parametrize("evaluation", AIMS)
def test_a_row_says_what_was_measured(evaluation):
    row = search_row(make("vampires"), evaluation, nodes=50, rounds=1)
    assert row.name.startswith("expectimax, ")
    assert row.unit == "nodes/s"
    assert row.value is not None and row.value > 0
    assert row.met == (row.value >= AIMS[evaluation])
