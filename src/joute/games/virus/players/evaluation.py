"""The two frozen reference evaluations of Virus, for bit boards.

Features are of the side to move and of its opponent: stones, stones that the other can turn with
its next action, safe stones (no empty neighbour), empty cells that each can reach.
"""

from importlib.resources import files
from typing import NamedTuple

import numpy as np

from joute.core.arrays import popcount
from joute.core.interface import OVER, implements, inline, mover, points
from joute.games.virus.rules import FULL, touching

PHASE = 9  # empty cells per row of the fitted weights
WON = 1000.0  # beyond every value of a state that is not over


class Hand(NamedTuple):
    """By hand: 50 stones, -17.5 turnable, 15 safe, 2 reach, as differences; per stone: / 50."""


class Fitted(NamedTuple):
    """Fitted by logistic regression to results: log-odds for the player to move."""

    weights: np.ndarray  # float64[12, 8], by phase of the game and feature


def fitted() -> Fitted:
    """The frozen weights."""
    text = files("joute.games.virus.players").joinpath("fitted.txt").read_text("ascii")
    return Fitted(np.array([line.split() for line in text.splitlines()], np.float64))


@implements(Hand, "evaluate")
def _hand(evaluation, game, state, player):
    if mover(game, state) == OVER:
        return final(game, state, player)
    to_move = mover(game, state)
    stones, own, other, safe, mine, theirs, _, _ = features(game, state, to_move)
    value = 50.0 * stones - 17.5 * (own - other) + 15.0 * safe + 2.0 * (mine - theirs)
    return value / 50.0 if player == to_move else -value / 50.0


@implements(Fitted, "evaluate")
def _fitted(evaluation, game, state, player):
    if mover(game, state) == OVER:
        return final(game, state, player)
    to_move = mover(game, state)
    stones, own, other, safe, mine, theirs, both, empty = features(game, state, to_move)
    row = empty // PHASE
    value = weighted(evaluation.weights[row], stones, own, other, safe, mine, theirs, both)
    return value if player == to_move else -value


@inline
def weighted(weights, stones, own, other, safe, mine, theirs, both):
    """The sum of features by the weights (float64[8]) of a phase of the game."""
    return (
        weights[0] * stones
        + weights[1] * own
        + weights[2] * other
        + weights[3] * safe
        + weights[4] * mine
        + weights[5] * theirs
        + weights[6] * both
        + weights[7]
    )


@inline
def final(game, state, player):
    """The value of a state that is over, for `player`: won or lost, then by how much."""
    lead = points(game, state, player) - points(game, state, 1 - player)
    return float(lead) + WON * ((lead > 0) - (lead < 0))


@inline
def features(game, state, player):
    """Stone difference, own and opposing stones that can be turned, difference of safe stones,
    empty cells that only the player, only the opponent, both can reach, empty cells; for `player`.
    """
    own, other = 2 * player, 2 - 2 * player
    own_low, own_high = int(state[own]), int(state[own + 1])
    their_low, their_high = int(state[other]), int(state[other + 1])
    empty_low = int(FULL[game.size, 0]) & ~(own_low | their_low)
    empty_high = int(FULL[game.size, 1]) & ~(own_high | their_high)
    low, high = touching(own_low, own_high)
    mine_low, mine_high = low & empty_low, high & empty_high
    low, high = touching(their_low, their_high)
    reach_low, reach_high = low & empty_low, high & empty_high
    # A stone can be turned if it touches a cell where the other side can play.
    low, high = touching(reach_low, reach_high)
    own_turnable = popcount(own_low & low) + popcount(own_high & high)
    low, high = touching(mine_low, mine_high)
    their_turnable = popcount(their_low & low) + popcount(their_high & high)
    low, high = touching(empty_low, empty_high)
    own_safe = popcount(own_low & ~low) + popcount(own_high & ~high)
    their_safe = popcount(their_low & ~low) + popcount(their_high & ~high)
    return (
        popcount(own_low) + popcount(own_high) - popcount(their_low) - popcount(their_high),
        own_turnable,
        their_turnable,
        own_safe - their_safe,
        popcount(mine_low & ~reach_low) + popcount(mine_high & ~reach_high),
        popcount(reach_low & ~mine_low) + popcount(reach_high & ~mine_high),
        popcount(mine_low & reach_low) + popcount(mine_high & reach_high),
        popcount(empty_low) + popcount(empty_high),
    )
