"""Policies: how much each legal action deserves to be tried, or is likely to be played.

A policy is a NamedTuple that implements `prefer`, as a game implements its operations. Searches of
simulations take one: PUCT's priors in the tree come from it, and so do the random games after it.
"""

from typing import NamedTuple

from joute.core.arrays import index
from joute.core.interface import implements, inline, legal, operation, pick, promise
from joute.core.random import uniform


@operation
def prefer(policy, game, state, actions, count, weights):
    """Writes a weight, at least 0, for each of the mover's `count` legal `actions` (int32).

    `weights` is float64[at least count]. Only their ratios matter; all 0 is all alike.
    """
    raise NotImplementedError(f"{type(policy).__name__} does not implement prefer")


@operation
def choose(policy, game, state, actions, weights, rng):
    """The action of the mover in a random game, drawn by its weights; both arrays are scratch."""
    count = legal(game, state, actions)
    prefer(policy, game, state, actions, count, weights)
    rest = uniform(rng) * normalise(weights, count)
    for each in range(count - 1):
        rest -= weights[index(each)]
        if rest < 0.0:
            return int(actions[index(each)])
    return int(actions[index(count - 1)])


@inline
def normalise(weights, count):
    """The sum of the weights, which become all 1 where they are all 0."""
    total = 0.0
    for each in range(count):
        total += weights[index(each)]
    if total > 0.0:
        return total
    for each in range(count):
        weights[index(each)] = 1.0
    return float(count)


class Promises(NamedTuple):
    """The policy that every game has: its `promise`s in the tree, and uniformly random games."""


@implements(Promises, "prefer")
def _promised(policy, game, state, actions, count, weights):
    for each in range(count):
        weights[index(each)] = 1.0 + promise(game, state, int(actions[index(each)]))


@implements(Promises, "choose")
def _any(policy, game, state, actions, weights, rng):
    return pick(game, state, actions, rng)


@operation
def parts(form, game, state, actions, count, places):
    """Writes which weights make up each action's: the logarithm is their sum.

    A form is a NamedTuple that implements this, so that the weights can be learned from searches; a
    policy for play may hold them in a layout that is faster to read. `places` is int32[at least
    count, most], with -1 where an action has fewer.
    """
    raise NotImplementedError(f"{type(form).__name__} does not implement parts")
