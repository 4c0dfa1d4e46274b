"""The model of games of two: Bradley-Terry with draws and an advantage of the first seat.

With d the strength of the bot in the first seat minus the other's, plus the seat's advantage, wins,
draws and losses of the first seat have the odds exp(d/2) : v : exp(-d/2) (R. Davidson, "On
extending the Bradley-Terry model to accommodate ties", 1970; the seat: R. Davidson, R. Beaver,
1977). Rao and Kupper's model fits about as well; in Davidson's, strengths depend on games won plus
half of those drawn, so that a draw is worth half a win, as in the score.

Strengths are in nats, and sum to 0. All are fitted at once, by Newton's method.
"""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np

from joute.contest.rating.fit import CLOSE, STEPS, Array, Fit
from joute.contest.rating.results import Ints, Results, times_of_sets

# There is no likeliest advantage of a seat that won every game, nor a likeliest v where every game
# was drawn; and where few games were lost, an unlikely advantage of a seat would explain them all.
# Normal priors of these deviations, in nats (174 and 521 Elo), are worth a few games, and one.
SEAT_PRIOR = 1.0
DRAW_PRIOR = 3.0


class _Met(NamedTuple):
    """What strengths depend on, for each two bots in each order, int or float[meetings]."""

    first: Ints
    second: Ints
    games: Array
    points: Array  # of the first seat
    drawn: Array  # games


class _Odds(NamedTuple):
    """What the model says of a game of each meeting, float[meetings]."""

    expected: Array  # points of the first seat
    variance: Array  # of those
    drawn: Array  # the probability
    likelihood: float  # the logarithm, of all games


def davidson(count: int, results: Results) -> Fit:
    """The fit to games of two between the bots 0..count-1, who must be strongly connected."""
    points = 0.5 + (results.ranks[:, 1] - results.ranks[:, 0]) / 2
    met, which = _met(count, results, points)
    drawn = met.drawn.sum() / met.games.sum()
    # Without a draw v is 0, whose logarithm is no parameter.
    known = np.array([True] * (count + 1) + [drawn > 0])
    values = np.zeros(count + 2)  # the strengths, the seat's advantage, log v
    values[-1] = log(drawn) if drawn > 0 else -np.inf
    odds = _odds(values, met)
    for _ in range(STEPS):
        slope, bend = _slope(values, odds, met), _bend(count, odds, met)
        bend[~known] = bend[:, ~known] = 0.0
        bend[~known, ~known] = 1.0
        step = np.linalg.solve(bend, slope * known)
        step[:count] -= step[:count].mean()
        values, odds = _climb(values, step, odds, met)
        if np.abs(step).max() < CLOSE:
            break
    more = points - odds.expected[which]
    return _fit(values, bend, results, more, odds.variance[which])


def _met(count: int, results: Results, points: Array) -> tuple[_Met, Ints]:
    """The meetings, and which of them each game belongs to."""
    pairs, which = np.unique(results.bots @ [count, 1], return_inverse=True)
    first, second = np.divmod(pairs, count)
    games, taken, drawn = (
        np.bincount(which, results.times * each) for each in (1, points, points == 0.5)
    )
    return _Met(first, second, games, taken, drawn), which


def _odds(values: Array, met: _Met) -> _Odds:
    half = (values[met.first] - values[met.second] + values[-2]) / 2
    total = np.logaddexp(np.logaddexp(half, -half), values[-1])
    won, drawn = np.exp(half - total), np.exp(values[-1] - total)
    expected = won + drawn / 2
    likelihood = ((2 * met.points - met.games) * half - met.games * total).sum()
    likelihood -= values[-2] ** 2 / SEAT_PRIOR**2 / 2
    if np.isfinite(values[-1]):
        likelihood += met.drawn.sum() * values[-1] - values[-1] ** 2 / DRAW_PRIOR**2 / 2
    return _Odds(expected, won + drawn / 4 - expected**2, drawn, float(likelihood))


def _slope(values: Array, odds: _Odds, met: _Met) -> Array:
    """The derivative of the logarithm of the likelihood, float[bots + 2]."""
    count = len(values) - 2
    more = met.points - met.games * odds.expected
    slope = np.zeros(count + 2)
    slope[:count] = np.bincount(met.first, more, count) - np.bincount(met.second, more, count)
    slope[-2] = more.sum() - values[-2] / SEAT_PRIOR**2
    if np.isfinite(values[-1]):
        slope[-1] = (met.drawn - met.games * odds.drawn).sum() - values[-1] / DRAW_PRIOR**2
    return slope


def _bend(count: int, odds: _Odds, met: _Met) -> Array:
    """Minus the second derivative, float[bots + 2, bots + 2]; that of equal strengths is 1 / bots.

    A constant added to all strengths changes nothing: with that matrix of rank 1 added, the whole
    can be inverted, and steps keep their sum.
    """
    bend = np.empty((count + 2, count + 2))
    variance = met.games * odds.variance
    joint = met.games * odds.drawn * (0.5 - odds.expected)
    between = np.zeros((count, count))
    np.add.at(between, (met.first, met.second), variance)
    between += between.T
    bend[:count, :count] = 1 / count - between
    bend[range(count), range(count)] += between.sum(axis=0)
    for place, values in ((-2, variance), (-1, joint)):
        own = np.bincount(met.first, values, count) - np.bincount(met.second, values, count)
        bend[place, :count] = bend[:count, place] = own
    bend[-2, -2] = variance.sum() + 1 / SEAT_PRIOR**2
    bend[-1, -1] = (met.games * odds.drawn * (1 - odds.drawn)).sum() + 1 / DRAW_PRIOR**2
    bend[-2, -1] = bend[-1, -2] = joint.sum()
    return bend


def _climb(values: Array, step: Array, odds: _Odds, met: _Met) -> tuple[Array, _Odds]:
    """The values after a step, or after the largest half of it that makes the games likelier."""
    for _ in range(STEPS):
        found = _odds(values + step, met)
        if found.likelihood >= odds.likelihood - CLOSE * met.games.sum():
            return values + step, found
        step = step / 2
    return values, odds


def _fit(values: Array, bend: Array, results: Results, more: Array, variance: Array) -> Fit:
    """The fit with sums over each set, seen from the first of its two bots.

    For each game, `more` is what the first seat took beyond what was expected.
    """
    count = len(values) - 2
    known = np.linalg.inv(bend[:count, :count])
    mixed = known @ bend[:count, count:]
    rest = np.linalg.inv(bend[count:, count:] - bend[count:, :count] @ mixed)
    sets = int(results.sets.max()) + 1
    bots = np.empty((sets, 2), int)
    bots[results.sets[::-1]] = results.bots[::-1]  # the first game of a set is the last to write
    sign = np.where(results.bots[:, 0] == bots[results.sets, 0], 1.0, -1.0)
    both = np.array([1.0, -1.0])
    return Fit(
        strengths=values[:count],
        seat=float(values[-2]),
        covariance=known + mixed @ rest @ mixed.T - 1 / count,
        known=known - 1 / count,
        even=0.5 / (2 + float(np.exp(values[-1]))),
        bots=bots,
        slopes=np.bincount(results.sets, sign * more, sets)[:, None] * both,
        bends=np.bincount(results.sets, variance, sets)[:, None, None] * np.outer(both, both),
        times=times_of_sets(results),
    )
