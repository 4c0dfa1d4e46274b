"""Ratings of games of two: against published figures, a reference program, and true strengths."""

import math
from itertools import pairwise

import numpy as np
import pytest
from contest.simulated import NAMES, everybody, pairs, rows, won
from hypothesis import given, settings
from hypothesis import strategies as st

from joute.contest.ranking.rows import Row
from joute.contest.rating.fit import GameArrays, arrays_of, components, spread
from joute.contest.rating.models import davidson
from joute.contest.rating.rating import ELO, rate, rate_results


def counted(wins, draws=()) -> GameArrays:
    """Games of which `wins` says how many each bot won against each, as many in either seat.

    Every game is a set of its own.
    """
    bots, ranks = [], []
    for table, result in ((wins, (0, 1)), (draws, (0, 0))):
        for one, line in enumerate(table):
            for other, count in enumerate(line):
                bots += [(one, other), (other, one)] * count
                ranks += [result, result[::-1]] * count
    return GameArrays(
        np.array(bots), np.array(ranks), np.arange(len(bots)), np.ones(len(bots), int)
    )


def test_journals_are_rated_as_in_the_published_table():
    # Citations between four journals of statistics (S. Stigler, 1994), with the abilities and
    # standard errors that H. Turner and D. Firth give ("Bradley-Terry models in R: the
    # BradleyTerry2 package", 2012): Biometrika 0, Communications in Statistics -2.949 (0.103),
    # JASA -0.480 (0.061), JRSS-B 0.269 (0.071).
    cited = [[0, 730, 498, 221], [33, 0, 68, 17], [320, 813, 0, 142], [284, 276, 325, 0]]
    fit = davidson(4, counted(cited))
    from_first = fit.strengths - fit.strengths[0]
    assert from_first == pytest.approx([0, -2.949, -0.480, 0.269], abs=5e-4)
    variances = fit.covariance[0, 0] + np.diag(fit.covariance) - 2 * fit.covariance[0]
    errors = np.sqrt(2 * variances)  # each citation is counted twice here, in either seat
    assert errors[1:] == pytest.approx([0.103, 0.061, 0.071], abs=5e-4)


def test_ratings_agree_with_choix():
    # choix 0.4.1, opt_pairwise(4, data, alpha=0, tol=1e-12) for these wins.
    wins = [[0, 8, 10, 12], [4, 0, 6, 10], [2, 6, 0, 8], [2, 0, 4, 0]]
    expected = [1.05561187, 0.37315574, -0.18173106, -1.24703655]
    assert davidson(4, counted(wins)).strengths == pytest.approx(expected, abs=1e-7)


def test_a_fit_with_draws_and_a_seat_is_the_likeliest():
    draw = np.random.default_rng(4)
    strengths = draw.normal(0, 0.7, 5)
    results = pairs(strengths, everybody(5, 2, 100), draw, odds=0.8, seat=0.5)
    fit = davidson(5, results)
    at_best = [*fit.strengths, fit.seat, math.log(0.5 / fit.even - 2)]
    best = likelihood(at_best, results)
    for place in range(7):
        for step in (-1e-3, 1e-3):
            other = list(at_best)
            other[place] += step
            assert likelihood(other, results) < best
    assert fit.seat == pytest.approx(0.5, abs=0.2)
    assert at_best[-1] == pytest.approx(math.log(0.8), abs=0.2)


def likelihood(parameters, results: GameArrays) -> float:
    """The logarithm of the games' likelihood, written out, with what is believed beforehand."""
    *strengths, seat, draws = parameters
    total = -(seat**2) / 2 - draws**2 / 18
    for (first, second), (mine, other) in zip(results.bots, results.ranks, strict=True):
        lead = strengths[first] - strengths[second] + seat
        odds = {-1: math.exp(lead / 2), 0: math.exp(draws), 1: math.exp(-lead / 2)}
        total += math.log(odds[np.sign(mine - other)] / sum(odds.values()))
    return total


def test_400_elo_are_ten_wins_to_a_loss_and_the_mean_is_0():
    found = rate("ab", won(*[("a", "b")] * 100, *[("b", "a")] * 10)).bots
    assert [line.name for line in found] == ["a", "b"]
    assert [line.elo for line in found] == pytest.approx([200, -200])
    for line in found:
        assert line.interval.low < line.elo < line.interval.high


def test_a_bot_of_reference_has_0_and_the_others_what_they_are_above_it():
    games = won(*[("a", "b")] * 9, *[("b", "a")] * 3, *[("b", "c")] * 8, *[("c", "b")] * 4)
    free = {line.name: line.elo for line in rate("abc", games).bots}
    fixed = {line.name: line for line in rate("abc", games, reference="b").bots}
    assert fixed["b"].elo == 0
    assert fixed["b"].interval == (0, 0)
    assert fixed["a"].elo == pytest.approx(free["a"] - free["b"])
    assert fixed["a"].interval.low < fixed["a"].elo < fixed["a"].interval.high


def test_without_a_rating_of_the_reference_nobody_has_one():
    games = won(*[("a", "b")] * 9, *[("b", "a")] * 3, *[("c", "b")] * 4)
    found = {line.name: line for line in rate("abc", games, reference="c").bots}
    assert {name: line.reason for name, line in found.items()} == {
        "a": "reference",
        "b": "reference",
        "c": "won",
    }


def test_who_never_lost_or_never_won_has_no_number_and_changes_no_other():
    games = won(*[("a", "b")] * 9, *[("b", "a")] * 3)
    extremes = won(*[("x", "a")] * 5, *[("b", "y")] * 5, ("x", "y"), start=100)
    found = rate("abxyz", games + extremes).bots
    assert found[:2] == rate("ab", games).bots
    unrated = {line.name: (line.elo, line.interval, line.reason) for line in found[2:]}
    none = (None, None)
    assert unrated == {"x": (*none, "won"), "y": (*none, "lost"), "z": (*none, "games")}


def test_the_mean_is_0_of_those_who_are_rated_where_too_little_is_known_of_others():
    games = won(*[("a", "b")] * 30, *[("b", "a")] * 20, *[("b", "c")] * 30, *[("c", "b")] * 20)
    chain = [(f"={one}", other) for one, other in pairwise("cdefghi")]  # a draw each
    found = rate("abcdefghi", games + won(*chain, start=1000)).bots
    assert {line.name for line in found if line.reason == "games"} >= {"h", "i"}
    rated = [line for line in found if line.elo is not None]
    assert len(rated) >= 3
    assert sum(line.elo for line in rated) == pytest.approx(0, abs=1e-9)
    assert (rated[-1].superiority, rated[-1].games) == (None, None)  # no rated one comes next


@pytest.mark.parametrize(
    ("games", "reasons"),
    [
        (won(("a", "b"), ("a", "b")), ["games", "games"]),
        (won(("=a", "b"), ("=a", "b"), ("=a", "b")), ["games", "games"]),
        (won(("a", "b"), ("b", "a")), ["games", "games"]),  # an interval wider than all there is
    ],
)
def test_too_few_decisive_games_are_said_to_be_too_few(games, reasons):
    found = rate("ab", games).bots
    assert [line.elo for line in found] == [None, None]
    assert [line.reason for line in found] == reasons


@pytest.mark.parametrize(
    "games",
    [
        [],
        won(("a", "b"))[:1],
        [Row(key=0, bots=("a",), returns=[1.0], size=1)],
        [row._replace(teams=[[0, 1]]) for row in won(("a", "b"))],
    ],
    ids=["no game", "half a pair", "alone", "teams"],
)
def test_where_games_allow_of_no_ratings_there_are_none(games):
    assert rate("ab", games) is None


def test_half_a_pair_counts_for_nothing():
    games = won(*[("a", "b")] * 9, *[("b", "a")] * 3)
    assert rate("ab", games) == rate("ab", [*games, *[row._replace(key="x") for row in games[:1]]])


def test_a_seat_that_always_wins_makes_nobody_strong():
    results = arrays_of("ab", [
        Row(key=number, bots=bots, returns=[1.0, -1.0])
        for number in range(30)
        for bots in (("a", "b"), ("b", "a"))
    ])  # fmt: skip
    found = rate_results("ab", results)
    assert [line.elo for line in found.bots] == pytest.approx([0, 0], abs=1e-6)
    assert 300 < found.seat < 1000
    assert found.spread < 0.1


def test_pairs_that_are_alike_count_as_fewer_games_and_opposite_ones_as_more():
    strengths, groups = np.array([0.2, 0.0, -0.2]), everybody(3, 2, 400)
    for alike, expected in ((-0.9, 0.4), (0.0, 1.0), (0.9, 1.7)):
        results = pairs(strengths, groups, np.random.default_rng(2), alike=alike)
        assert spread(davidson(3, results)) == pytest.approx(expected, abs=0.15)


def test_bots_without_a_group_in_common_are_told_apart():
    draw = np.random.default_rng(8)
    strengths = np.array([2.0, 0.1, 0.0, -0.1, -2.0])
    found = rate("abcde", rows(pairs(strengths, everybody(5, 2, 20), draw))).bots
    groups = {line.name: set(line.groups) for line in found}
    assert found[0].name == "a"
    assert groups["b"] & groups["c"] & groups["d"]
    for one in "bcd":
        assert not groups["a"] & groups[one]
        assert not groups["e"] & groups[one]
    for line in found:
        assert line.groups == list(range(line.groups[0], line.groups[-1] + 1))


def test_those_with_a_group_in_common_cannot_be_told_apart_and_between_others_two_can():
    games = []
    for pair, wins, losses in (("ab", 3, 2), ("bc", 120, 80), ("cd", 3, 2)):
        one, other = pair
        games += won(*[(one, other)] * wins, *[(other, one)] * losses, start=1000 * len(games))
    found = {line.name: line for line in rate("abcd", games).bots}
    assert [found[name].groups for name in "abcd"] == [[1], [1], [2], [2]]
    assert found["a"].interval.low < found["d"].interval.high  # though they share none


def test_neighbours_have_a_likelihood_and_the_games_that_would_tell():
    apart, close = (
        rate("ab", won(*[("a", "b")] * wins, *[("b", "a")] * losses)).bots
        for wins, losses in ((60, 20), (42, 38))
    )
    assert apart[0].superiority > 0.99
    assert apart[0].games == 0
    assert 0.5 < close[0].superiority < 0.9
    assert 500 < close[0].games < 5000
    assert close[0].games % 2 == 0
    assert close[0].next == "b"
    assert (close[1].next, close[1].superiority, close[1].games) == (None, None, None)
    more = close[0].games // 160 + 1  # times the same games
    again = rate("ab", won(*[("a", "b")] * 42 * (more + 1), *[("b", "a")] * 38 * (more + 1))).bots
    assert again[0].games < close[0].games / 3


def test_equal_bots_would_need_more_games_than_anybody_plays():
    found = rate("ab", won(*[("a", "b")] * 30, *[("b", "a")] * 30)).bots
    assert found[0].superiority == pytest.approx(0.5, abs=1e-6)
    assert found[0].games is None


def test_groups_of_mutual_results_are_the_comparable_ones():
    results = arrays_of("abcde", won(("a", "b"), ("b", "c"), ("c", "a"), ("d", "a"), ("=d", "e")))
    groups = sorted(group.tolist() for group in components(5, results, level=True))
    assert groups == [[0, 1, 2], [3, 4]]
    strict = sorted(group.tolist() for group in components(5, results, level=False))
    assert strict == [[0, 1, 2], [3], [4]]


RANKS = st.sampled_from([(0, 1), (1, 0), (0, 0)])
PAIR = st.tuples(st.integers(0, 4), st.integers(1, 4), RANKS, RANKS)


@settings(max_examples=150)
@given(st.lists(PAIR, min_size=1, max_size=20), st.booleans())
def test_no_table_of_results_gives_what_is_no_number(found_pairs, anchored):
    seats = [(one, (one + step) % 5) for one, step, *_ in found_pairs]
    results = GameArrays(
        np.array([order for pair in seats for order in (pair, pair[::-1])]),
        np.array([ranks for *_, one, other in found_pairs for ranks in (one, other)]),
        np.arange(2 * len(seats)) // 2,
        np.ones(2 * len(seats), int),
    )
    found = rate_results(NAMES[:5], results, "a" if anchored else None)
    assert {line.name for line in found.bots} == set(NAMES[:5])
    for line in found.bots:
        if line.elo is None:
            assert (line.interval, line.groups, line.reason != "") == (None, [], True)
        else:
            assert math.isfinite(line.elo)
            assert -2000 < line.interval.low - line.elo <= 0 <= line.interval.high - line.elo < 2000
            assert line.superiority is None or 0.5 <= line.superiority <= 1
    groups = {line.name: set(line.groups) for line in found.bots}
    for line in found.bots:  # letters, likelihoods and games agree on who is stronger
        if line.superiority is not None and abs(line.superiority - 0.975) > 1e-9:
            told_apart = line.superiority > 0.975
            assert groups[line.name].isdisjoint(groups[line.next]) == told_apart
            assert (line.games == 0) == told_apart


@pytest.mark.parametrize(
    ("bots", "sets", "odds", "seat", "alike"),
    [(6, 6, 0.5, 0.3, 0.0), (6, 6, 0.5, 0.3, 0.8), (6, 6, 0.5, 0.3, -0.8), (20, 1, 0.0, 1.0, 0.0)],
)
def test_between_93_and_97_of_100_intervals_hold_the_true_strength(bots, sets, odds, seat, alike):
    draw = np.random.default_rng(12)
    held = total = 0
    groups = everybody(bots, 2, sets)
    for _ in range(1800 // bots):
        strengths = draw.normal(0, 0.8, bots)
        elos = dict(zip(NAMES, ELO * (strengths - strengths.mean()), strict=False))
        results = pairs(strengths, groups, draw, odds=odds, seat=seat, alike=alike)
        rated = [line for line in rate_results(NAMES[:bots], results).bots if line.interval]
        total += len(rated)
        held += sum(line.interval.low <= elos[line.name] <= line.interval.high for line in rated)
    assert total > 1750
    assert 0.93 <= held / total <= 0.97


def test_a_thousand_bots_and_a_hundred_thousand_games_are_rated_in_their_true_order():
    draw = np.random.default_rng(0)
    strengths = draw.normal(0, 1, 1000)
    first = draw.integers(0, 1000, 50_000)
    second = (first + draw.integers(1, 1000, 50_000)) % 1000
    results = pairs(strengths, np.stack([first, second], axis=1), draw, odds=0.5, seat=0.3)
    names = [str(number) for number in range(1000)]
    found = {line.name: line for line in rate_results(names, results).bots}
    lines = [found[name] for name in names]
    assert np.corrcoef([line.elo for line in lines], strengths)[0, 1] > 0.98
    true = ELO * (strengths - strengths.mean())
    held = [each.interval.low <= elo <= each.interval.high for each, elo in zip(lines, true)]  # noqa: B905
    assert 0.93 <= np.mean(held) <= 0.97
