"""Ratings of games of three and more: against a reference program, and true strengths."""

import math

import numpy as np
import pytest
from contest.simulated import NAMES, everybody, rows, tables
from hypothesis import given, settings
from hypothesis import strategies as st

from joute.contest.ranking.rows import among_others
from joute.contest.rating.fit import GameArrays
from joute.contest.rating.models import plackett_luce
from joute.contest.rating.rating import ELO, rate, rate_results


def test_rankings_agree_with_choix():
    # choix 0.4.1, opt_rankings(4, rankings, alpha=0, tol=1e-12) for these, best first.
    rankings = [
        (0, 1, 2), (0, 2, 1), (1, 0, 3), (3, 2, 0), (1, 3, 2), (2, 1, 3),
        (0, 3, 1), (0, 1, 3), (2, 0, 3), (1, 2, 3), (0, 2, 3), (3, 1, 0),
    ]  # fmt: skip
    expected = [0.46944343, 0.18016989, 0.0341834, -0.68379672]
    ranks = np.tile(np.arange(3), (len(rankings), 1))
    once = np.ones(len(rankings), int)
    results = GameArrays(np.array(rankings), ranks, np.arange(len(rankings)), once)
    assert plackett_luce(4, results).strengths == pytest.approx(expected, abs=1e-7)


def test_the_order_of_the_games_changes_nothing():
    results = tables(np.array([1.0, 0.3, 0.0, -0.5]), everybody(4, 3, 6), np.random.default_rng(1))
    games = rows(results)
    assert rate("abcd", games).model == "plackett-luce"
    forth, back = rate("abcd", games).bots, rate("abcd", games[::-1]).bots
    for one, other in zip(forth, back, strict=True):
        assert one.name == other.name
        assert one.elo == pytest.approx(other.elo)
        assert one.interval == pytest.approx(other.interval)


def test_bots_that_share_a_rank_are_compared_with_those_below_only():
    ranks = np.array([[0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 1, 1]])
    results = GameArrays(np.array([[0, 1, 2]] * 4), ranks, np.arange(4), np.ones(4, int))
    winners = results._replace(ranks=np.where(ranks == 0, 0, 2))
    fit = plackett_luce(3, results)
    assert fit.strengths == pytest.approx(plackett_luce(3, winners).strengths)
    # Twice as many first places as each of the others: twice the odds.
    assert fit.strengths == pytest.approx(math.log(2) * np.array([2 / 3, -1 / 3, -1 / 3]))


def test_who_won_every_table_has_no_number_and_the_others_are_rated_without_it():
    draw = np.random.default_rng(3)
    results = tables(np.array([50.0, 0.4, 0.0, -0.4]), everybody(4, 4, 20), draw)
    found = rate("abcd", rows(results)).bots
    assert [(line.elo, line.reason) for line in found if line.name == "a"] == [(None, "won")]
    rest = rate("bcd", among_others(rows(results), "a")).bots
    assert [line.name for line in rest] == ["b", "c", "d"]
    for one, other in zip(found, rest, strict=False):
        assert one.name == other.name
        assert one.elo == pytest.approx(other.elo)
        assert one.interval == pytest.approx(other.interval)


def test_a_table_that_lost_a_bot_counts_for_those_who_stay():
    draw = np.random.default_rng(3)
    results = tables(np.zeros(5), everybody(5, 4, 3), draw)
    found = rate("abcd", among_others(rows(results), "e")).bots
    assert {line.name for line in found} == set("abcd")
    assert all(line.elo is not None for line in found)


RANKS = st.permutations(range(3)) | st.sampled_from([(0, 0, 0), (0, 1, 1), (0, 0, 2), (1, 0, 1)])
TABLE = st.tuples(st.permutations(range(5)), RANKS)


@settings(max_examples=100)
@given(st.lists(TABLE, min_size=1, max_size=20))
def test_no_table_of_results_gives_what_is_no_number(games):
    results = GameArrays(
        np.array([order[:3] for order, _ in games]),
        np.array([list(ranks) for _, ranks in games]),
        np.arange(len(games)),
        np.ones(len(games), int),
    )
    for line in rate_results(NAMES[:5], results).bots:
        if line.elo is not None:
            assert math.isfinite(line.elo)
            assert line.interval.low <= line.elo <= line.interval.high
        else:
            assert line.reason


@pytest.mark.parametrize(("bots", "seats"), [(6, 3), (5, 4)])
def test_between_93_and_97_of_100_intervals_hold_the_true_strength(bots, seats):
    draw = np.random.default_rng(5)
    held = total = 0
    groups = everybody(bots, seats, 4)
    for _ in range(900 // bots):
        strengths = draw.normal(0, 0.7, bots)
        elos = dict(zip(NAMES, ELO * (strengths - strengths.mean()), strict=False))
        rated = rate_results(NAMES[:bots], tables(strengths, groups, draw)).bots
        total += len(rated)
        held += sum(line.interval.low <= elos[line.name] <= line.interval.high for line in rated)
    assert total >= 895
    assert 0.93 <= held / total <= 0.97
