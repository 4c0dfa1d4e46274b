"""Means with intervals, against tables and examples worked out by hand."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from joute.contest.rating.statistics import Z95, of_pairs, sample, student, student95, wilson

POINTS = st.integers(-(10**6), 10**6)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [  # the column 0.975 of any printed table
        (1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (7, 2.365), (9, 2.262),
        (10, 2.228), (15, 2.131), (29, 2.045), (30, 2.042), (60, 2.000), (120, 1.980),
    ],
)  # fmt: skip
def test_students_quantile_has_its_known_values(freedom, quantile):
    assert student95(freedom) == pytest.approx(quantile, abs=5e-4)


def test_students_quantile_nears_that_of_the_normal_distribution_from_above():
    values = [student95(freedom) for freedom in (1, 2, 3, 10, 99, 500, 1000, 10**9)]
    assert values == sorted(values, reverse=True)
    assert Z95 < values[-1] < 1.0013 * Z95


@pytest.mark.parametrize("freedom", [1, 2, 3, 10, 99, 5000])
def test_students_distribution_has_the_quantiles_that_intervals_use(freedom):
    assert student(student95(freedom), freedom) == pytest.approx(0.975, abs=1e-9)
    assert student(-student95(freedom), freedom) == pytest.approx(0.025, abs=1e-9)
    assert student(0.0, freedom) == 0.5
    assert student(math.inf, freedom) == 1.0


def test_students_distribution_of_one_degree_is_that_of_cauchy():
    assert student(1.0, 1) == pytest.approx(0.75)
    assert student(-1.0, 1) == pytest.approx(0.25)


def test_the_mean_of_a_few_values_has_the_interval_of_the_books():
    found = sample([[10, 12, 14, 16]])
    assert found.mean == 13
    assert found.deviation == pytest.approx(math.sqrt(20 / 3))
    # 3.182 * 2.582 / sqrt(4)
    assert found.interval == pytest.approx((13 - 4.108, 13 + 4.108), abs=1e-3)


def test_what_differs_between_maps_is_not_chance():
    found = sample([[100, 102], [10, 12]])
    assert found.mean == 56
    assert found.deviation == pytest.approx(math.sqrt(2))
    # Two variances of 2, each weighing 2 of 16; two degrees of freedom.
    assert found.interval == pytest.approx(
        (56 - 4.303 * math.sqrt(0.5), 56 + 4.303 * 0.5**0.5), abs=1e-3
    )


def test_a_map_that_never_varies_adds_nothing_to_the_width():
    alone, both = sample([[1, 3]]).interval, sample([[1, 3], [7, 7]]).interval
    assert (both.high - both.low) * 2 == pytest.approx(alone.high - alone.low)


@pytest.mark.parametrize(
    ("groups", "mean", "deviation"),
    [
        ([[5]], 5, None),
        ([[5], [7]], 6, None),
        ([[5], [7, 9]], 7, math.sqrt(2)),  # nothing is known of the spread on the first map
        ([[5, 5, 5]], 5, 0),
        ([[5, 5], [8, 8], []], 6.5, 0),
    ],
)
def test_there_is_no_interval_where_nothing_is_known_of_the_spread(groups, mean, deviation):
    assert sample(groups) == (mean, None if deviation is None else pytest.approx(deviation), None)


def test_there_is_no_mean_of_nothing():
    assert sample([]) is sample([[], []]) is None


@given(st.lists(st.lists(POINTS, min_size=1, max_size=6), min_size=1, max_size=4))
def test_an_interval_is_around_its_mean_and_no_number_is_nan(groups):
    found = sample(groups)
    assert not math.isnan(found.mean)
    if found.interval is not None:
        assert found.interval.low <= found.mean <= found.interval.high
        assert math.isfinite(found.interval.high - found.interval.low)


@pytest.mark.parametrize("sizes", [[4], [3, 8], [5, 5, 5]])
def test_about_95_of_100_intervals_hold_the_mean(sizes):
    draw = random.Random(7)
    centres = [100 * number for number in range(len(sizes))]
    spreads = [1 + 3 * number for number in range(len(sizes))]
    truth = sum(map(math.prod, zip(sizes, centres, strict=True))) / sum(sizes)
    held, trials = 0, 4000
    for _ in range(trials):
        groups = [
            [draw.gauss(centre, spread) for _ in range(size)]
            for size, centre, spread in zip(sizes, centres, spreads, strict=True)
        ]
        low, high = sample(groups).interval
        held += low <= truth <= high
    assert 0.94 < held / trials < 0.97


@pytest.mark.parametrize("pairs", [30, 50, 100, 200])
def test_an_interval_of_pairs_holds_the_truth_near_0_and_1_too(pairs):
    # Exactly: both games of a pair go alike, so that pairs are coins.
    intervals = [of_pairs([1.0] * won + [0.0] * (pairs - won)) for won in range(pairs + 1)]
    held = []
    for score in (each / 100 for each in range(50, 100)):
        chances = (
            math.comb(pairs, won) * score**won * (1 - score) ** (pairs - won)
            for won in range(pairs + 1)
        )
        inside = (low <= score <= high for low, high in intervals)
        held.append(sum(chance for chance, holds in zip(chances, inside, strict=True) if holds))
    assert min(held) > 0.91
    assert 0.95 < sum(held) / len(held) < 0.97


def test_an_interval_of_pairs_turns_with_the_sides():
    pairs = [1.0] * 40 + [0.75] * 7 + [0.5] * 3
    low, high = of_pairs(pairs)
    assert of_pairs([1 - each for each in pairs]) == pytest.approx((1 - high, 1 - low))
    assert 0.0 < low < sum(pairs) / len(pairs) < high < 1.0


@given(st.integers(1, 10**6))
def test_the_interval_of_what_was_all_lost_or_all_won_ends_there_exactly(trials):
    assert wilson(0.0, trials).low == 0.0
    assert wilson(1.0, trials).high == 1.0
