"""A game whose tree is drawn at random: players and chance come in any order, for plain Python.

State:  int64[2]: the number of a place in the tree, plies played.
Action: 0..2; each leads to a place of its own.
"""

from typing import NamedTuple

import numpy as np

from joute.core.interface import CHANCE, OVER, Properties, implements

CHOICES = 3


class RandomTree(NamedTuple):
    """A tree of so many plies; some of its branches end before.

    With a `width` there are so many places a ply, where branches meet.
    """

    seed: int
    plies: int = 6
    players: int = 2
    chance: bool = True
    width: int = 0


class Worth(NamedTuple):
    """An evaluation: a whole number in -most..most, of several players one each.

    Bounds say so if `bounded`.
    """

    most: int = 4
    bounded: bool = False


def drawn(game, state, what, count):
    """A number in 0..count - 1 that belongs to a place."""
    return hash((game.seed, int(state[0]), int(state[1]), what)) % count


@implements(RandomTree)
def properties(game: RandomTree) -> Properties:
    return Properties(
        name="random tree",
        players=game.players,
        simultaneous=False,
        chance=game.chance,
        hidden_information=False,
        zero_sum=True,
        max_actions=CHOICES,
        max_legal=CHOICES,
        max_outcomes=CHOICES,
        max_plies=game.plies,
        lowest_return=-1.0,
        highest_return=1.0,
        version=1,
    )


@implements(RandomTree)
def start(game: RandomTree) -> np.ndarray:
    return np.zeros(2, np.int64)


@implements(RandomTree)
def mover(game, state):
    if state[1] == game.plies or (state[1] > 0 and drawn(game, state, 1, 12) == 0):
        return OVER
    kinds = game.players + (game.chance and state[1] > 0)  # chance does not begin
    player = drawn(game, state, 2, kinds)
    return CHANCE if player == game.players else player


@implements(RandomTree)
def legal(game, state, out):
    out[:CHOICES] = range(CHOICES)
    return CHOICES


@implements(RandomTree)
def chances(game, state, out, weights):
    out[:CHOICES] = range(CHOICES)
    weights[:CHOICES] = [0.5, 0.25, 0.25]
    return CHOICES


@implements(RandomTree)
def play(game, state, action):
    if game.width:
        state[0] = drawn(game, state, 10 + action, game.width)
    else:
        state[0] = CHOICES * int(state[0]) + action + 1
    state[1] += 1


@implements(RandomTree)
def returns(game, state, out):
    for player in range(game.players):
        out[player] = 0.0


@implements(Worth)
def evaluate(evaluation, game, state, player):
    what = 3 if game.players == 2 else 3 + player
    value = float(drawn(game, state, what, 2 * evaluation.most + 1) - evaluation.most)
    return -value if game.players == 2 and player == 1 else value


@implements(Worth)
def bounds(evaluation, game, state, player):
    most = float(evaluation.most) if evaluation.bounded else float("inf")
    return -most, most
