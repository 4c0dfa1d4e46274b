"""Plays each legal action with equal probability."""

import numpy as np

from joute.bots import Choice, Table
from joute.games.interface import legal, properties
from joute.games.random import below, generator


class RandomBot:
    """See the module."""

    def __init__(self, table: Table) -> None:
        self._game = table.game
        self._rng = generator(table.seed)
        self._actions = [0] * properties(table.game).max_legal

    def play(self, state: np.ndarray) -> Choice:
        """A random legal action."""
        count = legal(self._game, state.tolist(), self._actions)
        return Choice(self._actions[below(self._rng, count)])


def make(table: Table) -> RandomBot:
    """No options."""
    return RandomBot(table)
