"""Honest numbers: the score of a bot with an interval, over pairs of games."""

from math import sqrt
from typing import NamedTuple

Z95 = 1.959963984540054  # two-sided 95 % of the normal distribution


class Interval(NamedTuple):
    """A 95 % confidence interval of a score, both ends within 0..1."""

    low: float
    high: float


def wilson(score: float, trials: int) -> Interval | None:
    """Wilson's interval for a mean of `trials` independent scores within 0..1.

    A score of a pair (0, 1/4, 1/2, 3/4 or 1) varies at most as much as a coin of the same mean,
    score * (1 - score), so the interval is too wide rather than too narrow. None without trials.
    """
    if trials == 0:
        return None
    square = Z95 * Z95
    centre = (score + square / (2 * trials)) / (1 + square / trials)
    spread = sqrt(score * (1 - score) / trials + square / (4 * trials * trials))
    half = Z95 * spread / (1 + square / trials)
    return Interval(max(0.0, centre - half), min(1.0, centre + half))
