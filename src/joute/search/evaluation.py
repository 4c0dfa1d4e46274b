"""Evaluations: the value of a state before the game is over.

An evaluation is a NamedTuple (of weights, if it has any) that implements `evaluate`, as a game
implements its operations. It belongs to the bots that use it; this file has those that
serve every game.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core.interface import (
    OVER,
    has_rule,
    implements,
    lead_bounds,
    mover,
    operation,
    points,
    properties,
    returns,
)


@operation
def evaluate(evaluation, game, state, player):
    """The value of a state for `player`; also of a state that is over.

    Any unit will do, but values of one evaluation are comparable, and for two players value(player)
    is -value(other player).
    """
    raise NotImplementedError(f"{type(evaluation).__name__} does not implement evaluate")


@operation
def bounds(evaluation, game, state, player):
    """Bounds of `evaluate` for `player` at every state that can follow: (lowest, highest)."""
    return -float("inf"), float("inf")


@operation
def evaluate_leaf(evaluation, game, state, scale, out):
    """Whether a new state has a value without a game; then `out` (float[players]) holds the values.

    As it stands, for two players with returns from -1 to 1: an `evaluate` of v, in units of its
    own, becomes v / (|v| + scale).
    """
    value = evaluate(evaluation, game, state, 0)
    out[0] = value / (abs(value) + scale)
    out[1] = -out[0]
    return True


class Playout(NamedTuple):
    """The evaluation that every game has: a game played to its end at random."""


@implements(Playout, "evaluate_leaf")
def _played_out(evaluation, game, state, scale, out):
    return False


class Lead(NamedTuple):
    """The lead in points: at the end of the game, its exact natural result."""


@implements(Lead, "evaluate")
def _lead(evaluation, game, state, player):
    return float(points(game, state, player) - points(game, state, 1 - player))


class FinalReturns(NamedTuple):
    """0 before the end of the game, and there the difference of the returns.

    Of two players whose returns are 1 and -1 it is 2 for the winner; of more, a player's return
    less the mean of the others'. For games without points. `out` is scratch: float64[players].
    """

    out: np.ndarray


@implements(FinalReturns, "evaluate")
def _outcome(evaluation, game, state, player):
    if mover(game, state) != OVER:
        return 0.0
    returns(game, state, evaluation.out)
    total = 0.0
    for other in range(len(evaluation.out)):
        total += float(evaluation.out[other])
    own = float(evaluation.out[player])
    return own - (total - own) / (len(evaluation.out) - 1)


def usual(game: Any) -> Any:
    """The evaluation that serves every game: the lead in points, where the game has points."""
    if has_rule(type(game), "points"):
        return Lead()
    return FinalReturns(np.zeros(properties(game).players))


class Margin(NamedTuple):
    """The lead in points over the best of the others, for any number of players."""

    players: int


@implements(Margin, "evaluate")
def _margin(evaluation, game, state, player):
    best = -float("inf")
    for other in range(evaluation.players):
        if other != player:
            best = max(best, float(points(game, state, other)))
    return float(points(game, state, player)) - best


class FinalLead(NamedTuple):
    """The lead in points, with the game's bounds of the leads that can still come: for solving.

    The bounds cost more than they cut off until the end of the game is in reach.
    """


implements(FinalLead, "evaluate")(_lead)


@implements(FinalLead, "bounds")
def _lead_bounds(evaluation, game, state, player):
    return lead_bounds(game, state, player)


@operation
def terms(form, game, state, places, amounts):
    """Writes the terms of a state's value for its mover; returns how many there are.

    A form is a NamedTuple that implements this: it says which weights a state's value takes, and
    how much of each, so that the weights can be learned from positions. An evaluation for play may
    hold the same weights in a layout that is faster to read. The value, in log-odds of winning, is
    the sum of weights[place] * amount. `places` is int32 and `amounts` float32, both [of the most
    terms a state may have]. A player must be to move.
    """
    raise NotImplementedError(f"{type(form).__name__} does not implement terms")
