"""Weights fitted to positions: logistic regression by stochastic gradient descent.

Each weight has a rate of its own, which falls with the gradients that it has seen: Duchi, Hazan and
Singer, "Adaptive subgradient methods" (2011). What a position is taught is a mixture of the values
found later in its game and of the result, as in Sutton, "Learning to predict by the methods of
temporal differences" (1988).
"""

from math import exp, log, sqrt
from typing import Any, NamedTuple

import numpy as np

from joute.core.compiled import kernel
from joute.learn.self_play import Positions
from joute.search.evaluation import terms

EPOCHS = 8
RATE = 0.03  # of the first epoch; falls to zero
LAMBDA = 0.5  # how much more the later counts than the value found at a position
MOST = 30.0  # log-odds that a value counts for
UNSEEN = 0.1  # the squares of gradients that every weight starts with
KEPT_ASIDE = 10  # one game in so many is for judging the fit


class LinearEvaluation(NamedTuple):
    """An evaluation that is a sum of weights, to be fitted."""

    game: Any
    form: Any  # its terms, see `search.evaluation`
    most_terms: int


class FittedWeights(NamedTuple):
    """Weights, and how well they foretell what they were not fitted to."""

    weights: np.ndarray  # float32
    positions: int  # fitted to
    loss: float  # mean cross-entropy of the games kept aside


@kernel
def descend(game, form, states, order, targets, weights, squares, places, amounts, rate):
    """Goes once through the positions of `order`; the sum of their cross-entropies before.

    `targets` are chances of the mover to win, `squares` float32 the sums of squared gradients. With
    a rate of 0 nothing is learned.
    """
    loss = 0.0
    for position in order:
        count = terms(form, game, states[position], places, amounts)
        value = 0.0
        for term in range(count):
            value += weights[places[term]] * amounts[term]
        chance = 1.0 / (1.0 + exp(-min(max(value, -MOST), MOST)))
        target = targets[position]
        loss -= target * log(chance + 1e-12) + (1.0 - target) * log(1.0 - chance + 1e-12)
        if rate > 0.0:
            for term in range(count):
                gradient = (target - chance) * amounts[term]
                place = places[term]
                squares[place] += gradient * gradient
                weights[place] += rate * gradient / sqrt(squares[place])
    return loss


def fit(
    total: LinearEvaluation, positions: Positions, weights: np.ndarray, seed: int
) -> FittedWeights:
    """Weights that foretell how positions end, from `weights` on. The same seed, the same fit."""
    rng = np.random.default_rng(seed)
    wanted = targets(positions)
    game_of = np.cumsum(positions.last) - positions.last
    aside = np.flatnonzero(game_of % KEPT_ASIDE == 0)
    learned = np.flatnonzero(game_of % KEPT_ASIDE)
    fitted = weights.astype(np.float32)
    squares = np.full_like(fitted, UNSEEN)
    places, amounts = (
        np.zeros(total.most_terms, np.int32),
        np.zeros(total.most_terms, np.float32),
    )

    def go(order: np.ndarray, rate: float) -> float:
        told = (order, wanted, fitted, squares, places, amounts, rate)
        loss: float = descend(total.game, total.form, positions.states, *told)
        return loss / max(order.size, 1)

    for epoch in range(EPOCHS):
        go(rng.permutation(learned), RATE * (1 - epoch / EPOCHS))
    return FittedWeights(fitted, learned.size, go(aside, 0.0))


def targets(positions: Positions) -> np.ndarray:
    """The mover's chance to win that each position is taught: float32[positions].

    Backwards through each game: LAMBDA of what the next position is taught, for the same player,
    and the rest of the value found here; where none was found, what the next is taught alone.
    """
    taught = np.zeros(positions.last.size, np.float32)
    values = np.clip(positions.values.astype(np.float64), -MOST, MOST)
    found = 1 / (1 + np.exp(-values))
    chance = 0.0  # of player 0
    for each in range(taught.size - 1, -1, -1):
        if positions.last[each]:
            chance = (1 + positions.results[each]) / 2
        second = positions.movers[each] == 1
        if not np.isnan(found[each]):
            here = 1 - found[each] if second else found[each]
            chance = (1 - LAMBDA) * here + LAMBDA * chance
        taught[each] = 1 - chance if second else chance
    return taught
