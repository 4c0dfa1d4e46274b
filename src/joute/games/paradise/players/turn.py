"""Paradise, the whole turn ahead: of all that can be done in it, the end of the highest value.

The value is the frozen linear evaluation of the position when the turn is over; a shot whose victim
is drawn counts by its mean. Of more than `positions` different ones, those of the highest value are
looked at. The other's hand and the decks are never looked at: they make no difference to the
turn. It draws nothing, so it always plays the same.
"""

import numpy as np

from joute.bots import Choice, Seating, refused
from joute.core.interface import play, start
from joute.games.paradise.players.turns import (
    Linear,
    check,
    known_to,
)
from joute.search.whole_turns import WholeTurns

POSITIONS = 20_000


class TurnBot:
    """See the module."""

    def __init__(self, table: Seating, search: WholeTurns) -> None:
        self._game = table.game
        self._player = table.player
        self._search = search
        self._plan: dict[bytes, Choice] = {}  # what is left of the turn, by the state before it

    def play(self, state: np.ndarray) -> Choice:
        """The next action of the best turn."""
        known = known_to(self._player, state)
        if known.tobytes() not in self._plan:
            self._plan = self._planned(known)
        return self._plan[known.tobytes()]

    def _planned(self, state: np.ndarray) -> dict[bytes, Choice]:
        found = self._search.search(state)
        cut = "" if found.whole else ", more were left out"
        message = f"values its turn {found.value:.1f}, {found.positions} positions{cut}"
        plan = {}
        after = state.copy()
        for action in found.actions:
            plan[after.tobytes()] = Choice(action, message)
            play(self._game, after, action)
        return plan


def make(table: Seating, *, positions: int = POSITIONS) -> TurnBot:
    """The bot. Raises BuiltinError for a game that is not Paradise or fewer than one position."""
    check("turn", table)
    try:
        search = WholeTurns(table.game, start(table.game), Linear(), positions)
    except ValueError as error:
        raise refused("turn", error) from None
    return TurnBot(table, search)
