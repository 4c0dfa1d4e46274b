"""Paradise: all mana first, then good trades.

Plays the dearest card that can be played while there is one, spells at the enemy minion of the
highest attack that they kill, else at the hero; attacks minions that it kills without loss, else
the hero; then the power.
"""

from typing import Any

import numpy as np

from joute.bots import Choice, Seating
from joute.games.paradise.players.turns import (
    AT_HERO,
    TurnChoices,
    check,
    dearest,
    strike,
    strongest,
)
from joute.games.paradise.state import (
    END,
    POWER_ACTION,
)


class CurveBot:
    """See the module."""

    def __init__(self, table: Seating) -> None:
        self._game = table.game
        self._player = table.player

    def play(self, state: np.ndarray) -> Choice:
        """The next action of the turn."""
        turn = TurnChoices(self._game, state, self._player)
        card = dearest(turn.plays())
        if card is not None:
            damage = turn.damage(card.card)
            target = strongest(turn.enemies, lambda each: each["health"] <= damage)
            return Choice(card.action(target or AT_HERO))
        attackers = turn.attackers()
        if attackers:
            target = strongest(turn.enemies, self._trade(turn, turn.minions[attackers[0]]))
            return Choice(strike(attackers[0], target or AT_HERO))
        return Choice(POWER_ACTION if turn.power else END)

    def _trade(self, turn: TurnChoices, own: dict[str, Any]) -> Any:
        return lambda enemy: turn.kills(own, enemy) and not turn.kills(enemy, own)


def make(table: Seating) -> CurveBot:
    """No options. Raises BuiltinError for a game that is not Paradise."""
    check("curve", table)
    return CurveBot(table)
