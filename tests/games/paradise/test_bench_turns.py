"""The bench of Paradise's whole turns searches what it says; speed is no matter here."""

from bench.paradise import turns_row
from joute.core.registry import make


def test_whole_turns_are_searched_by_both_evaluations():
    row = turns_row(make("paradise"), turns=3, rounds=1)
    assert (row.unit, row.against) == ("positions/s", "the linear evaluation, 3 turns")
    assert row.value is not None and row.value > 0
    assert row.ratio is not None and row.ratio > 0
