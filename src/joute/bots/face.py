"""Paradise: everything at the other hero.

First an attack that wins, if there is one; then the dearest minion that can be played, again and
again, the spells that damage, the power and the attacks.
"""

import numpy as np

from joute.bots import Choice, Table
from joute.bots.paradise_turn import Turn, check, dearest, strike
from joute.games.paradise_cards import BOOK, MINION
from joute.games.paradise_state import END, POWER_ACTION


class FaceBot:
    """See the module."""

    def __init__(self, table: Table) -> None:
        self._game = table.game
        self._player = table.player

    def play(self, state: np.ndarray) -> Choice:
        """The next action of the turn."""
        turn = Turn(self._game, state, self._player)
        attackers = turn.attackers()
        for number in attackers:
            if turn.minions[number]["attack"] >= turn.health:
                return Choice(strike(number), "wins")
        plays = turn.plays()
        minion = dearest([each for each in plays if BOOK[each.card].kind == MINION])
        spells = [each for each in plays if each.aimed]
        if minion is not None:
            return Choice(minion.action())
        if spells:
            return Choice(spells[0].action())
        if turn.power:
            return Choice(POWER_ACTION)
        return Choice(strike(attackers[0]) if attackers else END)


def make(table: Table) -> FaceBot:
    """No options. Raises BuiltinError for a game that is not Paradise."""
    check("face", table)
    return FaceBot(table)
