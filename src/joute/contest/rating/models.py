"""The models of strength: Davidson's for games of two, Plackett and Luce's for more seats.

Strengths are in nats, and sum to 0. All are fitted at once, by Newton's method.

**Davidson**: Bradley-Terry with draws and an advantage of the first seat. With d the strength of
the bot in the first seat minus the other's, plus the seat's advantage, wins, draws and losses of
the first seat have the odds exp(d/2) : v : exp(-d/2) (R. Davidson, "On extending the Bradley-Terry
model to accommodate ties", 1970; the seat: R. Davidson, R. Beaver, 1977). Rao and Kupper's model
fits about as well; in Davidson's, strengths depend on games won plus half of those drawn, so that
a draw is worth half a win, as in the score.

**Plackett and Luce**: the first is chosen among all with odds exp(strength), the second among the
others, and so on (R. Plackett, "The analysis of permutations", 1975; D. Hunter, "MM algorithms for
generalized Bradley-Terry models", 2004). Nothing is known of the order of bots that share a rank:
each of them is compared with those below. Seats rotate within each set, so that they have no part
in it.
"""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np

from joute.contest.rating.fit import (
    CLOSE,
    EMPTY,
    STEPS,
    Array,
    GameArrays,
    Ints,
    RatingFit,
    times_of_sets,
)

# There is no likeliest advantage of a seat that won every game, nor a likeliest v where every game
# was drawn; and where few games were lost, an unlikely advantage of a seat would explain them all.
# Normal priors of these deviations, in nats (174 and 521 Elo), are worth a few games, and one.
SEAT_PRIOR = 1.0
DRAW_PRIOR = 3.0


class _Met(NamedTuple):
    """The results of each two bots in each order, int or float[meetings]."""

    first: Ints
    second: Ints
    games: Array
    points: Array  # of the first seat
    drawn: Array  # games


class _Odds(NamedTuple):
    """The odds of a game of each meeting by the model, float[meetings]."""

    expected: Array  # points of the first seat
    variance: Array  # of those
    drawn: Array  # the probability
    likelihood: float  # the logarithm, of all games


def davidson(count: int, results: GameArrays) -> RatingFit:
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
        slope, bend = _slope(values, odds, met), _davidson_bend(count, odds, met)
        bend[~known] = bend[:, ~known] = 0.0
        bend[~known, ~known] = 1.0
        step = np.linalg.solve(bend, slope * known)
        step[:count] -= step[:count].mean()
        values, odds = _climb(values, step, odds, met)
        if np.abs(step).max() < CLOSE:
            break
    more = points - odds.expected[which]
    return _davidson_fit(values, bend, results, more, odds.variance[which])


def _met(count: int, results: GameArrays, points: Array) -> tuple[_Met, Ints]:
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


def _davidson_bend(count: int, odds: _Odds, met: _Met) -> Array:
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


def _davidson_fit(
    values: Array, bend: Array, results: GameArrays, more: Array, variance: Array
) -> RatingFit:
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
    return RatingFit(
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


class _Choices(NamedTuple):
    """The likelihood of each game by the model, with its derivatives."""

    likelihood: float  # the logarithm, of all games
    slopes: Array  # float[games, seats]
    bends: Array  # float[games, seats, seats]


def plackett_luce(count: int, results: GameArrays) -> RatingFit:
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
        bend = _luce_bend(count, bots, found, times)
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
    return _luce_fit(strengths, covariance, found, results)


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


def _luce_bend(count: int, bots: Ints, found: _Choices, times: Ints) -> Array:
    """Minus the second derivative, float[bots, bots]; that of equal strengths is 1 / bots."""
    places = bots[:, :, None] * count + bots[:, None, :]
    bends = times[:, None, None] * found.bends
    bend = np.bincount(places.ravel(), bends.ravel(), count * count)
    return bend.reshape(count, count) + 1 / count


def _luce_fit(
    strengths: Array, covariance: Array, found: _Choices, results: GameArrays
) -> RatingFit:
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
    return RatingFit(strengths, None, covariance, covariance, even, bots, slopes, bends, times)
