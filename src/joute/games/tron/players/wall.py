"""A bot for Tron that drives along the walls: to the cell with most walls around it.

It first leaves out the directions after which it could reach fewer cells than after another, so it
does not shut itself out of the larger part of the free cells. It looks no further, and ignores the
other bikes. Ties are drawn.
"""

import numpy as np

from joute.bots import Choice, Seating, other_game
from joute.core.interface import describe, legal, properties
from joute.core.random import below, generator
from joute.games.tron.arena import Tron
from joute.games.tron.board import SLOTS
from joute.games.tron.solo import Solo
from joute.games.tron.text import heads, marks

INTERPRETED = True  # no kernel is used


class WallBot:
    """See the module."""

    def __init__(self, seat: Seating) -> None:
        self._game = seat.game
        self._player = seat.player
        self._rng = generator(seat.seed)
        self._actions = [0] * properties(seat.game).max_legal
        game = seat.game
        self._near = [
            [int(to) for to in game.neighbour[SLOTS * cell : SLOTS * cell + game.directions]]
            for cell in range(game.cells)
        ]
        self._partner = game.partner.tolist()

    def play(self, state: np.ndarray) -> Choice:
        """The direction with most walls, of those that leave the most space."""
        count = legal(self._game, state, self._actions)
        taken = [mark != 0 for mark in marks(self._game, state)]
        head = heads(self._game, state)[self._player]
        worth = {
            action: self._worth(taken, self._near[head][action]) for action in self._actions[:count]
        }
        most = max(worth.values())
        best = [action for action, found in worth.items() if found == most]
        action = best[below(self._rng, len(best))]
        text = describe(self._game, state.tolist(), action)
        return Choice(action, f"{text}: {most[0]} cells, {most[1]} walls")

    def _worth(self, taken: list[bool], goal: int) -> tuple[int, int]:
        """The cells that can be reached from a cell, and the walls around it, once it is entered.

        Of a pair of teleporters both ends count, if both can be reached.
        """
        seen = taken.copy()
        seen[goal] = seen[self._partner[goal] or goal] = True
        walls = sum(seen[to] for to in self._near[goal])
        reached = [goal]
        for cell in reached:
            for to in self._near[cell]:
                if not seen[to]:
                    seen[to] = True
                    reached.append(to)
        return len(reached) - 1, walls


def make(seat: Seating) -> WallBot:
    """No options. Raises BuiltinError for a game that is not Tron."""
    if not isinstance(seat.game, Tron | Solo):
        raise other_game("wall", "tron", seat)
    return WallBot(seat)
