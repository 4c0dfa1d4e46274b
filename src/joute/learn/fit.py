"""Weights fitted to positions: logistic regression by stochastic gradient descent.

Each weight has a rate of its own, which falls with the gradients that it has seen: Duchi, Hazan and
Singer, "Adaptive subgradient methods" (2011). What a position is taught is a mixture of the values
found later in its game and of the result, as in Sutton, "Learning to predict by the methods of
temporal differences" (1988).
"""

from collections.abc import Callable
from math import exp, log, sqrt
from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.compiled import kernel
from joute.core.interface import legal, properties
from joute.learn.self_play import Positions
from joute.search.evaluation import terms
from joute.search.policy import parts

EPOCHS = 4
RATE = 0.05  # of the first epoch; falls to zero
LAMBDA = 0.95  # how much more the later counts than the value found at a position
MOST = 30.0  # log-odds that a value counts for
UNSEEN = 0.1  # the squares of gradients that every weight starts with
KEPT_ASIDE = 10  # one game in so many is for judging the fit
TINY = 1e-8  # a chance that costs no more


class LinearEvaluation(NamedTuple):
    """An evaluation that is a sum of weights, to be fitted."""

    game: Any
    form: Any  # its terms, see `search.evaluation`
    most_terms: int


class LinearPolicy(NamedTuple):
    """A policy whose log-weights are sums of weights, to be fitted."""

    game: Any
    form: Any  # its parts, see `search.policy`
    most_parts: int  # of an action


class FittedWeights(NamedTuple):
    """Weights, and how well they foretell what they were not fitted to."""

    weights: np.ndarray  # float32
    positions: int  # fitted to
    loss: float  # mean cross-entropy of the games kept aside


def cross_entropy(found: np.ndarray, wanted: np.ndarray) -> float:
    """The mean cross-entropy of chances that were found and those that are wanted."""
    each = wanted * np.log(found + TINY) + (1 - wanted) * np.log(1 - found + TINY)
    return -float(np.mean(each))


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
    wanted = targets(positions)
    work = np.zeros(total.most_terms, np.int32), np.zeros(total.most_terms, np.float32)

    def go(order: np.ndarray, fitted: np.ndarray, squares: np.ndarray, rate: float) -> float:
        told = (order, wanted, fitted, squares, *work, rate)
        loss: float = descend(total.game, total.form, positions.states, *told)
        return loss

    return descended(go, positions, weights, seed)


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


@kernel
def imitate(game, form, states, shares, order, weights, squares, actions, places, chances, rate):
    """Goes once through the positions of `order`; the sum of their cross-entropies before.

    `shares` (uint8[positions, actions]) are what a search gave to the actions of each position.
    With a rate of 0 nothing is learned.
    """
    loss = 0.0
    for position in order:
        wanted = shares[position]
        count = legal(game, states[position], actions)
        parts(form, game, states[position], actions, count, places)
        whole, highest, total = 0.0, -1e30, 0.0
        for each in range(count):
            whole += float(wanted[index(actions[each])])
            value = 0.0
            for part in range(places.shape[1]):
                if places[each, part] >= 0:
                    value += weights[index(places[each, part])]
            chances[each] = value
            highest = max(highest, value)
        for each in range(count):
            chances[each] = exp(chances[each] - highest)
            total += chances[each]
        for each in range(count):
            target = float(wanted[index(actions[each])]) / max(whole, 1.0)
            chance = chances[each] / total
            loss -= target * log(chance + 1e-12)
            gradient = target - chance
            for part in range(places.shape[1]):
                if places[each, part] >= 0 and rate > 0.0:
                    place = index(places[each, part])
                    squares[place] += gradient * gradient
                    weights[place] += rate * gradient / sqrt(squares[place])
    return loss


def fit_policy(
    total: LinearPolicy, positions: Positions, weights: np.ndarray, seed: int
) -> FittedWeights:
    """Weights by which actions are liked as the searches did. The same seed, the same fit."""
    most = properties(total.game).max_legal
    work = np.zeros(most, np.int32), np.zeros((most, total.most_parts), np.int32), np.zeros(most)

    def go(order: np.ndarray, fitted: np.ndarray, squares: np.ndarray, rate: float) -> float:
        told = (positions.shares, order, fitted, squares, *work, rate)
        loss: float = imitate(total.game, total.form, positions.states, *told)
        return loss

    return descended(go, positions, weights, seed)


def descended(
    go: Callable[[np.ndarray, np.ndarray, np.ndarray, float], float],
    positions: Positions,
    weights: np.ndarray,
    seed: int,
) -> FittedWeights:
    """The weights after EPOCHS times through all games but those kept aside for the loss.

    `go` goes through positions in an order, with weights, their squared gradients and a rate.
    """
    rng = np.random.default_rng(seed)
    game_of = np.cumsum(positions.last) - positions.last
    aside = np.flatnonzero(game_of % KEPT_ASIDE == 0)
    learned = np.flatnonzero(game_of % KEPT_ASIDE)
    fitted = weights.astype(np.float32)
    squares = np.full_like(fitted, UNSEEN)
    for epoch in range(EPOCHS):
        go(rng.permutation(learned), fitted, squares, RATE * (1 - epoch / EPOCHS))
    loss = go(aside, fitted, squares, 0.0) / max(aside.size, 1)
    return FittedWeights(fitted, learned.size, loss)
