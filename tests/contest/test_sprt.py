"""Sequential tests: against published figures, and their errors over thousands of tests."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from joute.contest.errors import ConfigError
from joute.contest.rating.sprt import (
    H0,
    H1,
    PER_DEVIATION,
    SCORES,
    USUAL_ERRORS,
    Hypotheses,
    SequentialTest,
    elo_of,
    normalized_elo,
    ratios,
    superiority,
)

BOTS = ("new", "old")
BOUND = USUAL_ERRORS.bounds.high


def ratio(counts, elo0, elo1) -> float:
    [found] = ratios(np.array(counts)[:, None], elo0, elo1)
    return found


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "expected"),
    [  # fastchess, app/tests/sprt_test.cpp, "normalized pentanomial" 1 and 2
        ([365, 16618, 36229, 16974, 390], 0, 2, 2.25),
        ([127, 4883, 10712, 5150, 104], -1.75, 0.25, 3.01),
    ],
)
def test_ratios_are_those_of_fastchess(counts, elo0, elo1, expected):
    assert ratio(counts, elo0, elo1) == pytest.approx(expected, abs=0.005)


def test_the_ratio_of_pairs_that_are_all_won_is_that_of_a_coin():
    # With two results only, the mean and the deviation of a hypothesis leave one distribution.
    t = 50 / PER_DEVIATION * math.sqrt(2)
    share = (1 + t / math.sqrt(1 + t * t)) / 2  # (share - 1/2) / sqrt(share * (1 - share)) = t
    assert ratio([0, 0, 0, 0, 40], 0, 50) == pytest.approx(40 * math.log(2 * share), rel=1e-3)


COUNTS = st.lists(st.sampled_from([0, 0, 1, 2, 7, 1000, 100_000]), min_size=5, max_size=5)


@settings(max_examples=100)
@example([1000, 2, 1000, 0, 0], (0, 100))
@example([0, 0, 100_000, 0, 100], (-200, -100))
@given(COUNTS, st.sampled_from([(0, 1), (0, 100), (-100, 0), (100, 200), (-200, -100)]))
def test_ratios_are_numbers_and_turn_round_with_the_bots(counts, elos):
    found = ratio(counts, *elos)
    assert math.isfinite(found)
    turned = ratio(counts[::-1], -elos[1], -elos[0])
    assert turned == pytest.approx(-found, abs=1e-5, rel=1e-5)


def test_normalized_elo_is_elo_where_nothing_is_drawn_and_games_are_independent():
    share = 0.52
    counts = np.array([(1 - share) ** 2, 0, 2 * share * (1 - share), 0, share**2]) * 1e6
    assert normalized_elo(counts) == pytest.approx(elo_of(share), rel=0.01)
    assert normalized_elo(np.array([0, 0, 7, 0, 0])) is None


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (10, 10, "the smaller first, got 10,10"),
        (50, 0, "the smaller first, got 50,0"),
        (0, 201, "within -200..200"),
        (float("nan"), 5, "within -200..200"),
        (-60, 60, "at most 100 apart, got -60,60"),
    ],
)
def test_hypotheses_that_cannot_be_tested_are_refused(low, high, said):
    with pytest.raises(ConfigError, match=said):
        Hypotheses(low, high)


def test_a_test_stops_at_the_pair_that_decides_however_pairs_are_handed_in():
    draw = np.random.default_rng(1)
    points = (draw.choice(5, 400, p=[0.05, 0.15, 0.3, 0.3, 0.2]) / 2).tolist()
    at_once, one_by_one = (SequentialTest(Hypotheses(0, 60)) for _ in range(2))
    at_once.add(points)
    for each in points:
        one_by_one.add([each])
    assert at_once.result(BOTS) == one_by_one.result(BOTS)
    assert (at_once.decision, 10 < at_once.pairs < 400) == (H1, True)
    before = SequentialTest(Hypotheses(0, 60))
    before.add(points[: at_once.pairs - 1])
    assert (before.decision, abs(before.llr) < BOUND <= at_once.llr) == ("", True)


def test_a_result_says_what_the_pairs_say():
    test = SequentialTest(Hypotheses(0, 50))
    nothing = test.result(BOTS)
    assert (nothing.pairs, nothing.score, nothing.elo, nothing.superiority) == (0, None, None, None)
    assert (nothing.decision, nothing.llr, nothing.interval) == ("", 0.0, [None, None])
    test.add([2.0, 1.5, 1.0, 0.5, 2.0])
    found = test.result(BOTS)
    assert found.pentanomial == (0, 1, 1, 1, 2)
    assert found.score == pytest.approx(0.7)
    assert found.elo == pytest.approx(147.2, abs=0.1)
    assert found.interval[0] < found.elo < found.interval[1]
    assert found.bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert 0.5 < found.superiority < 1


def test_pairs_that_are_all_won_have_an_elo_without_end():
    test = SequentialTest(Hypotheses(0, 100))
    test.add([2.0] * 40)
    found = test.result(BOTS)
    assert (found.decision, found.elo, found.normalized_elo) == (H1, None, None)
    assert found.interval[0] > 100
    assert found.interval[1] is None


def test_equal_bots_that_always_share_their_pairs_are_found_to_be_equal():
    test = SequentialTest(Hypotheses(0, 100))
    test.add([1.0] * 40)
    assert (test.decision, test.pairs < 40) == (H0, True)


def test_superiority_is_a_half_where_nothing_speaks_for_either():
    assert superiority([]) is None
    assert superiority([0.5] * 50) == 0.5
    assert superiority([0.0, 1.0] * 50) == pytest.approx(0.5)
    assert 0.8 < superiority([1.0]) < 0.9  # one pair proves little
    # 64 of 100 games won, in pairs as independent as games: 2.8 deviations.
    assert superiority([1.0] * 20 + [0.5] * 24 + [0.0] * 6) == pytest.approx(0.9987, abs=0.002)


def distribution(shares, elo) -> np.ndarray:
    """The shares of the five results tilted until they have this normalized Elo."""
    low, high = -20.0, 20.0
    for _ in range(80):
        middle = (low + high) / 2
        tilted = np.array(shares) * np.exp(middle * SCORES)
        tilted /= tilted.sum()
        low, high = (middle, high) if (normalized_elo(tilted) or 0.0) < elo else (low, middle)
    return tilted


def accepted(
    shares, elo: float, hypotheses: tuple[float, float], tests: int
) -> tuple[float, float]:
    """The shares of simulated tests that accept H0 and H1 where the truth is `elo`."""
    draw = np.random.default_rng(20)
    chances = distribution(shares, elo)
    counts = np.zeros((5, tests), int)
    ended = {H0: 0, H1: 0}
    while counts.size:
        seen = draw.choice(5, counts.shape[1], p=chances)
        counts[seen, np.arange(counts.shape[1])] += 1
        found = ratios(counts, *hypotheses)
        ended[H0] += int((found <= -BOUND).sum())
        ended[H1] += int((found >= BOUND).sum())
        counts = counts[:, np.abs(found) < BOUND]
    return ended[H0] / tests, ended[H1] / tests


@pytest.mark.full
@pytest.mark.parametrize(
    "shares",
    [(0.25, 0.0, 0.5, 0.0, 0.25), (0.1, 0.2, 0.4, 0.2, 0.1)],
    ids=["no draws", "draws"],
)
def test_of_10000_tests_no_more_than_5_percent_are_wrong(shares):
    _, wrongly_h1 = accepted(shares, 0.0, (0.0, 100.0), 10_000)
    wrongly_h0, _ = accepted(shares, 100.0, (0.0, 100.0), 10_000)
    assert 0.02 < wrongly_h1 <= 0.05
    assert 0.02 < wrongly_h0 <= 0.05


def test_few_tests_are_wrong():
    alike = (0.4, 0.05, 0.1, 0.05, 0.4)  # both games of a pair are mostly won by the same bot
    _, wrongly_h1 = accepted(alike, 0.0, (0.0, 100.0), 1000)
    assert wrongly_h1 <= 0.065  # at 5 %, more happen in one of 100 such samples


@pytest.mark.parametrize(("elo", "games"), [(0, 280), (25, 460), (50, 280)])
def test_a_test_takes_as_many_games_as_the_document_says(elo, games):
    draw, chances = np.random.default_rng(21), distribution((0.1, 0.2, 0.4, 0.2, 0.1), elo)
    counts, played = np.zeros((5, 1000), int), 0
    while counts.size:
        played += 2 * counts.shape[1]
        counts[draw.choice(5, counts.shape[1], p=chances), np.arange(counts.shape[1])] += 1
        counts = counts[:, np.abs(ratios(counts, 0, 50)) < BOUND]
    assert played / 1000 == pytest.approx(games, rel=0.06)
