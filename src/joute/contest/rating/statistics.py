"""Means of scores and of points, with 95 % confidence intervals."""

from collections.abc import Sequence
from functools import lru_cache
from math import atan, copysign, cos, floor, pi, sin, sqrt, tan
from typing import NamedTuple

Z95 = 1.959963984540054  # two-sided 95 % of the normal distribution
MOST_FREEDOM = 1000  # degrees; with more, Student's quantile is smaller by at most 0.12 %
MANY = 30  # pairs of games from which on their own variance is known well enough
HALVINGS = 60  # of an angle below pi / 2: finer than a float


class Interval(NamedTuple):
    """A 95 % confidence interval of a mean."""

    low: float
    high: float


def wilson(score: float, trials: int) -> Interval | None:
    """Wilson's interval for a mean of `trials` independent scores within 0..1.

    A score of a set of games lies within 0..1 too and varies at most as much as a coin of the same
    mean, score * (1 - score), so the interval is too wide rather than too narrow, but for a few
    sets that vary as much as coins do. None without trials. (E. Wilson, "Probable inference, the
    law of succession, and statistical inference", 1927.)
    """
    return _wilson(score, trials, Z95) if trials else None


def _wilson(score: float, trials: float, quantile: float) -> Interval:
    square = quantile * quantile
    centre = (score + square / (2 * trials)) / (1 + square / trials)
    spread = sqrt(score * (1 - score) / trials + square / (4 * trials * trials))
    half = quantile * spread / (1 + square / trials)
    # At 0 and at 1 the interval ends there, which rounding misses.
    low = 0.0 if score <= 0.0 else max(0.0, centre - half)
    return Interval(low, 1.0 if score >= 1.0 else min(1.0, centre + half))


class Sample(NamedTuple):
    """The mean of values drawn in groups (the maps), whose own means are not chance."""

    mean: float  # over all values
    deviation: float | None  # of a value within its group; None without two values in any group
    interval: Interval | None  # of the mean


def sample(groups: Sequence[Sequence[float]]) -> Sample | None:
    """The mean of all values with Student's 95 % interval; None without a value.

    The groups are given and only the values in them are chance: with n of the N values in a group
    whose values have the variance v, the variance of the mean is the sum of n * v / N^2. Its
    degrees of freedom are Welch's (1947) and Satterthwaite's (1946), rounded down. There is no
    interval where a group has one value, nor where values do not vary at all: that may be a bot
    that always plays the same, or few games.
    """
    groups = [group for group in groups if group]
    total = sum(len(group) for group in groups)
    if total == 0:
        return None
    mean = sum(sum(group) for group in groups) / total
    means = [sum(group) / len(group) for group in groups]
    squares = [
        sum((value - of) ** 2 for value in group) for group, of in zip(groups, means, strict=True)
    ]
    freedom = total - len(groups)
    deviation = sqrt(sum(squares) / freedom) if freedom else None
    if min(len(group) for group in groups) < 2 or not deviation:
        return Sample(mean, deviation, None)
    shares = [
        (len(group) * square / ((len(group) - 1) * total * total), len(group) - 1)
        for group, square in zip(groups, squares, strict=True)
    ]
    variance = sum(share for share, _ in shares)
    known = variance * variance / sum(share * share / free for share, free in shares)
    half = student95(floor(known + 1e-9)) * sqrt(variance)
    return Sample(mean, deviation, Interval(mean - half, mean + half))


def of_pairs(pairs: Sequence[float]) -> Interval | None:
    """A 95 % interval for the mean of scores within 0..1; None without a pair.

    Wilson's with Student's quantile, for the number of coins whose mean varies as that of the pairs
    does: equal deals make the two games of a pair alike or opposite. Student's own interval would
    be as good near 1/2; near 0 and 1 it misses the truth more often than it says. Where pairs are
    few or do not vary, each is a coin, which it varies at most as much as.
    """
    if not pairs:
        return None
    score, found = sum(pairs) / len(pairs), sample([pairs])
    if len(pairs) < MANY or found is None or not found.deviation:
        return wilson(score, len(pairs))
    coins = len(pairs) * score * (1 - score) / found.deviation**2
    return _wilson(score, coins, student95(len(pairs) - 1))


@lru_cache
def student95(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's t with 1 or more degrees of freedom.

    Found by halving from the exact finite sums of Abramowitz and Stegun, 26.7.3 and 26.7.4.
    """
    freedom = min(freedom, MOST_FREEDOM)
    low, high = 0.0, pi / 2
    for _ in range(HALVINGS):
        angle = (low + high) / 2
        if _within(angle, freedom) < 0.95:
            low = angle
        else:
            high = angle
    return sqrt(freedom) * tan(low)


def student(value: float, freedom: int) -> float:
    """The probability that Student's t, with 1 or more degrees of freedom, is below a value."""
    freedom = min(freedom, MOST_FREEDOM)
    inside = _within(atan(abs(value) / sqrt(freedom)), freedom)
    return (1 + copysign(inside, value)) / 2


def _within(angle: float, freedom: int) -> float:
    """The probability that |t| < sqrt(freedom) * tan(angle)."""
    odd = freedom % 2
    term = total = cos(angle) if odd else 1.0
    if freedom == 1:
        return 2 * angle / pi
    for factor in range(2 + odd, freedom - 1, 2):
        term *= cos(angle) ** 2 * (factor - 1) / factor
        total += term
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
