"""Paradise, an action ahead: the one after which the frozen linear evaluation is highest.

If no action makes it higher than it is, the turn ends. A shot whose victim is drawn counts by the
mean. The first of equals, so it always plays the same.
"""

from typing import Any

import numpy as np

from joute.bots import Choice, Seating, wrong_stray
from joute.core.interface import chances, play, properties
from joute.games.paradise.players.turns import (
    linear,
    sensible_actions,
)
from joute.games.paradise.state import (
    END,
    PHASE,
    SHOOTING,
)


class GreedyBot:
    """See the module."""

    def __init__(self, table: Seating) -> None:
        self._game = table.game
        self._player = table.player
        self._outcomes = [0] * properties(table.game).max_outcomes
        self._weights = [0.0] * properties(table.game).max_outcomes

    def play(self, state: np.ndarray) -> Choice:
        """The best action by the evaluation right after it."""
        before = state.tolist()
        best, best_value = END, linear(before, self._player)
        for action in sensible_actions(self._game, before):
            if action != END and (value := self._value(before, action)) > best_value:
                best, best_value = action, value
        return Choice(best, f"values it {best_value:.1f}")

    def _value(self, before: Any, action: int) -> float:
        after = before.copy()
        play(self._game, after, action)
        if after[PHASE] != SHOOTING:
            return float(linear(after, self._player))
        total = 0.0
        count = chances(self._game, after, self._outcomes, self._weights)
        for outcome, weight in zip(self._outcomes[:count], self._weights, strict=False):
            shot = after.copy()
            play(self._game, shot, outcome)
            total += weight * linear(shot, self._player)
        return total


def make(table: Seating, *, stray: float = 0.0) -> GreedyBot:
    """The bot; it never strays. Raises BuiltinError for an option out of range."""
    if not 0 <= stray <= 1:
        raise wrong_stray("greedy", stray)
    return GreedyBot(table)
