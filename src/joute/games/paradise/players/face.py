"""Paradise: everything at the other hero.

First an attack that wins, if there is one; then the dearest minion that can be played, again and
again, the spells that damage, the power and the attacks. Option: `stray`, the share of its actions
that may be any legal one, for a weaker opponent.
"""

import numpy as np

from joute.bots import Choice, Seating, wrong_stray
from joute.core.interface import legal_actions
from joute.core.random import below, generator, uniform
from joute.games.paradise.players.turns import (
    TurnChoices,
    check,
    dearest,
    strike,
)
from joute.games.paradise.state import (
    BOOK,
    END,
    MINION,
    POWER_ACTION,
)


class FaceBot:
    """See the module."""

    def __init__(self, table: Seating, stray: float) -> None:
        self._game = table.game
        self._player = table.player
        self._stray = stray
        self._rng = generator(table.seed)

    def play(self, state: np.ndarray) -> Choice:
        """The next action of the turn."""
        if self._stray and uniform(self._rng) < self._stray:
            actions = legal_actions(self._game, state.tolist())
            return Choice(actions[below(self._rng, len(actions))], "strays")
        turn = TurnChoices(self._game, state, self._player)
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


def make(table: Seating, *, stray: float = 0.0) -> FaceBot:
    """The bot. Raises BuiltinError for another game, or for an option out of range."""
    check("face", table)
    if not 0 <= stray <= 1:
        raise wrong_stray("face", stray)
    return FaceBot(table, stray)
