"""Tron, one round ahead: the direction after which it has the best territory; ties are drawn.

A direction is worth what it is after the worst reply of any one other bike, or none, while the rest
stand still; a reply into the same cell is a crash of both. Alone, it counts the moves that it could
still make. It does not look at choices of this round that may be in already.
"""

import numpy as np

from joute.bots import Choice, Seating, other_game, outlook
from joute.core.arrays import copy, index
from joute.core.compiled import kernel
from joute.core.interface import (
    describe,
    implements,
    inline,
    legal,
    operation,
    play,
    properties,
    start,
)
from joute.core.random import below, generator
from joute.games.tron.arena import CELLS, HEAD, PLACE, Tron
from joute.games.tron.board import SLOTS
from joute.games.tron.players.evaluation import DECISIVE, WON, territory
from joute.games.tron.solo import Solo
from joute.search.evaluation import evaluate

CRASH = -3.0 * WON  # below every other value, where there are more than two bikes


class TerritoryBot:
    """See the module."""

    def __init__(self, seat: Seating) -> None:
        self._game = seat.game
        self._player = seat.player
        self._rng = generator(seat.seed)
        self._territory = territory(seat.game)
        self._after = start(seat.game)
        self._actions = np.zeros(properties(seat.game).max_legal, np.int32)
        self._values = np.zeros(properties(seat.game).max_legal)

    def play(self, state: np.ndarray) -> Choice:
        """The direction with the best territory after it."""
        count = weigh_actions(
            self._game, self._territory, state, self._after, self._player, self._actions,
            self._values,
        )  # fmt: skip
        values = self._values[:count]
        best = np.flatnonzero(values == values.max())
        chosen = int(best[below(self._rng, len(best))])
        action = int(self._actions[chosen])
        text = describe(self._game, state.tolist(), action)
        message = f"{text}: {values[chosen]:+.2f}"
        if isinstance(self._game, Solo):  # where values are moves to come
            return Choice(action, message)
        return Choice(action, message, outlook(float(values[chosen]), DECISIVE), (action,))


def make(seat: Seating) -> TerritoryBot:
    """No options. Raises BuiltinError for a game that is not Tron."""
    if not isinstance(seat.game, Tron | Solo):
        raise other_game("territory", "tron", seat)
    return TerritoryBot(seat)


@kernel
def weigh_actions(game, territory, state, after, player, actions, values):
    """Writes the mover's legal actions and the worth of each; returns how many there are.

    `actions` is int32[max_legal], `values` float64[max_legal]; `after` is room for a state.
    """
    count = legal(game, state, actions)
    for each in range(count):
        values[each] = weigh_action(game, territory, state, after, player, actions[each])
    return count


@operation
def weigh_action(game, territory, state, after, player, action):
    """The worth of an action to the bike that takes it."""
    raise NotImplementedError(f"{type(game).__name__} has no bikes")


@implements(Solo, "weigh_action")
def _alone(game, territory, state, after, player, action):
    copy(after, state)
    play(game, after, action)
    return evaluate(territory, game, after, player)


@implements(Tron, "weigh_action")
def _arena(game, territory, state, after, player, action):
    return weigh_step(game, territory, state, after, player, action, True)


@inline
def weigh_step(game, territory, state, after, player, action, replies):
    """The worth of an action, after the worst of the others' replies or while they all stand."""
    goal = _free_cell(game, state, player, action)
    worst = float("inf")
    for bike in range(game.players):
        for direction in range(game.directions):
            if bike != player and not replies:
                continue
            # That nobody replies is looked at too, once, in place of the bike's own replies.
            reply = 0 if bike == player else _free_cell(game, state, bike, direction)
            if reply == 0 and (bike != player or direction > 0):
                continue
            copy(after, state)
            _enter(game, after, player, goal)
            if reply != 0 and after[index(CELLS + reply)] != 0:
                if not game.turns:
                    worst = min(worst, CRASH if game.players > 2 else 0.0)
                continue
            if reply != 0:
                _enter(game, after, bike, reply)
            worst = min(worst, evaluate(territory, game, after, player))
    return worst


@inline
def _free_cell(game, state, bike, direction):
    """The free cell that a direction leads a bike to; 0 where it is closed, or the bike is out."""
    cell = int(game.neighbour[index(SLOTS * int(state[index(HEAD + bike)]) + direction)])
    return cell if state[index(CELLS + cell)] == 0 and state[index(PLACE + bike)] == 0 else 0


@inline
def _enter(game, state, bike, cell):
    """Moves a bike to a free cell."""
    other_end = int(game.partner[index(cell)])
    state[index(CELLS + cell)] = 1 + bike
    if other_end != 0:
        state[index(CELLS + other_end)] = 1 + bike
    state[index(HEAD + bike)] = cell
