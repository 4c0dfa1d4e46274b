"""The model of games of three and more: Plackett and Luce's.

The first is chosen among all with odds exp(strength), the second among the others, and so on (R.
Plackett, "The analysis of permutations", 1975; D. Hunter, "MM algorithms for generalized
Bradley-Terry models", 2004). Nothing is known of the order of bots that share a rank: each of them
is compared with those below. Seats rotate within each set, so that they have no part in it.

Strengths are in nats, and sum to 0. All are fitted at once, by Newton's method.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from joute.contest.rating.fit import CLOSE, STEPS, Array, Fit
from joute.contest.rating.results import EMPTY, Ints, Results, times_of_sets


class _Choices(NamedTuple):
    """What the model says of each game."""

    likelihood: float  # the logarithm, of all games
    slopes: Array  # float[games, seats]
    bends: Array  # float[games, seats, seats]


def plackett_luce(count: int, results: Results) -> Fit:
    """The fit to the games between the bots 0..count-1, who must be strongly connected."""
    ranks = results.ranks
    taken = results.bots != EMPTY
    below = (ranks[:, None, :] > ranks[:, :, None]) & taken[:, None, :] & taken[:, :, None]
    among = below | np.eye(ranks.shape[1], dtype=bool)  # whom each was chosen among
    bots = results.bots.clip(0)  # an empty seat's slopes and bends are 0, whoever they are added to
    strengths = np.zeros(count)
    times = results.times
    found = _choices(strengths[bots], among, times)
    for _ in range(STEPS):
        slope = np.bincount(bots.ravel(), (times[:, None] * found.slopes).ravel(), count)
        bend = _bend(count, bots, found, times)
        step = np.linalg.solve(bend, slope)
        step -= step.mean()
        for _ in range(STEPS):
            new = _choices((strengths + step)[bots], among, times)
            if new.likelihood >= found.likelihood - CLOSE * times.sum():
                break
            step = step / 2
        strengths, found = strengths + step, new
        if np.abs(step).max() < CLOSE:
            break
    covariance = np.linalg.inv(bend) - 1 / count
    return _fit(strengths, covariance, found, results)


def _choices(strengths: Array, among: Array, times: Ints) -> _Choices:
    """The choices of games whose seats have these strengths, float[games, seats].

    Each game counts `times` in the likelihood, once in the slopes and bends.
    """
    candidates = np.where(among, strengths[:, None, :], -np.inf)
    total = np.logaddexp.reduce(candidates, axis=2)
    chances = np.exp(candidates - total[:, :, None])
    slopes = 1.0 - chances.sum(axis=1)
    bends = -np.einsum("gci,gcj->gij", chances, chances)
    seats = range(strengths.shape[1])
    bends[:, seats, seats] += chances.sum(axis=1)
    likelihood = float(((strengths - total).sum(axis=1) * times).sum())
    return _Choices(likelihood, slopes, bends)


def _bend(count: int, bots: Ints, found: _Choices, times: Ints) -> Array:
    """Minus the second derivative, float[bots, bots]; that of equal strengths is 1 / bots."""
    places = bots[:, :, None] * count + bots[:, None, :]
    bends = times[:, None, None] * found.bends
    bend = np.bincount(places.ravel(), bends.ravel(), count * count)
    return bend.reshape(count, count) + 1 / count


def _fit(strengths: Array, covariance: Array, found: _Choices, results: Results) -> Fit:
    """The fit with the sums over each set, whose bots are in the order of their numbers."""
    sets = int(results.sets.max()) + 1
    seats = np.argsort(results.bots, axis=1)
    bots = np.empty((sets, results.bots.shape[1]), int)
    bots[results.sets] = np.take_along_axis(results.bots, seats, axis=1).clip(0)
    slopes = np.zeros(bots.shape)
    np.add.at(slopes, results.sets, np.take_along_axis(found.slopes, seats, axis=1))
    rows = np.take_along_axis(found.bends, seats[:, :, None], axis=1)
    bends = np.zeros((*bots.shape, bots.shape[1]))
    np.add.at(bends, results.sets, np.take_along_axis(rows, seats[:, None, :], axis=2))
    stages = range(2, bots.shape[1] + 1)
    even = sum(1 - 1 / left for left in stages) / (2 * len(stages))
    times = times_of_sets(results)
    return Fit(strengths, None, covariance, covariance, even, bots, slopes, bends, times)
