"""Paradise, the whole turn ahead: of all that can be done in it, the end of the highest value.

The value is the frozen linear evaluation of the position when the turn is over; a shot whose victim
is drawn counts by its mean. Of more than `positions` different ones, those of the highest value are
looked at. The other's hand and the decks are never looked at: they make no difference to the
turn. It draws nothing, so it always plays the same.
"""

import numpy as np

from joute.bots import Bot, Choice, Seating, refused
from joute.core.interface import start
from joute.games.paradise.players.turns import (
    Linear,
    TurnPlanner,
    check,
)
from joute.search.whole_turns import WholeTurns

POSITIONS = 20_000


class _WholeTurn(TurnPlanner):
    def __init__(self, table: Seating, search: WholeTurns) -> None:
        super().__init__(table)
        self._search = search

    def _choices(self, state: np.ndarray, known: np.ndarray) -> list[Choice]:
        found = self._search.search(known)
        cut = "" if found.whole else ", more were left out"
        message = f"values its turn {found.value:.1f}, {found.positions} positions{cut}"
        return [Choice(action, message) for action in found.actions]


def make(table: Seating, *, positions: int = POSITIONS) -> Bot:
    """The bot. Raises BuiltinError for a game that is not Paradise or fewer than one position."""
    check("turn", table)
    try:
        search = WholeTurns(table.game, start(table.game), Linear(), positions)
    except ValueError as error:
        raise refused("turn", error) from None
    return _WholeTurn(table, search)
