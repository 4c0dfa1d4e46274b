"""How much more likely one hypothesis on normalized Elo makes the pairs of games than another.

The counts are pentanomial: pairs in which a bot took 0, 1/2, 1, 3/2 and 2 points of its two games.
The two games of a pair have the same deals, so that they are alike or opposite; the pairs are
independent, and no more is supposed.

Normalized Elo (M. Van den Bergh, "Normalized Elo", 2020; the default of fastchess, and fishtest's
unit) is 800 / ln 10 * (m - 1/2) / s, where m is the mean score of a game and s its standard
deviation, measured on pairs: s = sqrt(2) * (that of a pair's mean score). It says how many games it
takes to see a difference, whatever the share of draws: the number is proportional to 1 / elo^2.

The ratio is the generalized one: each hypothesis is given the distribution over the five results
that makes the counts most likely among those of its Elo (X. Li, J. Liu, Z. Ying, "Generalized
sequential probability ratio test for separate families of hypotheses", 2014). Arrays hold many
tests, so that thousands can be simulated at once.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

SCORES: Array = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  # of a pair, per game
PER_DEVIATION = 800 / log(10)  # normalized Elo of a mean one deviation above one half
UNSEEN = 1e-3  # pairs, in place of 0: any result may still come
_ROUNDS = 50  # of the solution's repetition, at most; about 8 are needed
_STEPS = 60  # of Newton's method, at most; about 4 are needed
_CLOSE = 1e-9
_INSIDE = 1 - 1e-12  # of the way to a pole: no division by 0


def ratios(counts: NDArray[Any], elo0: float, elo1: float) -> Array:
    """The logarithms of the likelihood ratios of elo1 to elo0, float[n], 0 without a pair.

    `counts` are int[5, n]; normalized Elos within 200 of 0 can be had by any counts.
    """
    pairs = counts.sum(axis=0)
    filled = np.where(counts > 0, counts, UNSEEN)
    total = filled.sum(axis=0)
    shares = filled / total
    ratio = _likeliest(shares, elo1) / _likeliest(shares, elo0)
    return np.where(pairs > 0, total * (shares * np.log(ratio)).sum(axis=0), 0.0)


def normalized_elo(counts: NDArray[Any]) -> float | None:
    """The normalized Elo that pentanomial counts, int[5], are seen at; None if none varies."""
    shares = counts / max(counts.sum(), 1)
    mean = float(shares @ SCORES)
    variance = float(shares @ (SCORES - mean) ** 2)
    return PER_DEVIATION * (mean - 0.5) / sqrt(2 * variance) if variance > _CLOSE else None


def _likeliest(shares: Array, elo: float) -> Array:
    """The distributions of this Elo that make the shares likeliest, float[5, n].

    With t the Elo in deviations of a pair, Lagrange's conditions for mean - 1/2 = t * deviation are
    q = p / (1 + x * b), where b is the derivative of mean - 1/2 - t * deviation by q, and x is such
    that q * b sums to 0. As b depends on q, they are solved by repetition.
    """
    target = elo / PER_DEVIATION * sqrt(2)
    scores = SCORES[:, None]
    found = np.full_like(shares, 1 / len(SCORES))
    x = np.zeros(shares.shape[1])
    for _ in range(_ROUNDS):
        distance = scores - (found * scores).sum(axis=0)
        deviation = np.sqrt((found * distance**2).sum(axis=0))
        bend = target * deviation * (1 + (distance / deviation) ** 2) / 2
        slopes = scores - 0.5 - bend
        x = _root(shares, slopes, x)
        new = shares / (1 + x * slopes)
        moved = np.abs(new - found).max(initial=0.0)
        found = new
        if moved < _CLOSE:
            break
    return found


def _root(shares: Array, slopes: Array, start: Array) -> Array:
    """The x, float[n], for which p * b / (1 + x * b) sums to 0; p and b are float[5, n].

    Between the poles around 0, where p / (1 + x * b) is a distribution, the sum falls in x.
    Newton's method from `start`, or from 0 where that is beyond a pole; what leaves the bounds
    found so far goes to their middle.
    """
    low, high = -_INSIDE / slopes.max(axis=0), -_INSIDE / slopes.min(axis=0)
    x = np.where((low < start) & (start < high), start, 0.0)
    for _ in range(_STEPS):
        terms = slopes / (1 + x * slopes)
        value = (shares * terms).sum(axis=0)
        low, high = np.where(value > 0, x, low), np.where(value < 0, x, high)
        new = x + value / (shares * terms**2).sum(axis=0)
        new = np.where((low <= new) & (new <= high), new, (low + high) / 2)
        moved = (np.abs(new - x) / (1 + np.abs(x))).max(initial=0.0)
        x = new
        if moved < _CLOSE:
            break
    return x
