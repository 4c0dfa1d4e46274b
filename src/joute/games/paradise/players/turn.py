"""Paradise, the whole turn ahead: of all that can be done in it, the end of the highest value.

The value is the frozen linear evaluation of the position when the turn is over; a shot whose victim
is drawn counts by its mean. Of more than `positions` different ones, those of the highest value are
looked at. The other's hand and the decks are never looked at: they make no difference to the
turn. It draws nothing, so it always plays the same.
"""

import numpy as np

from joute.bots import BuiltinBot, Choice, Seating, refused
from joute.core.interface import play, start
from joute.games.paradise.players.simple import (
    Linear,
    check,
)
from joute.games.paradise.state import (
    BLOCK,
    BLOCKS,
    CARDS,
    DECK,
    HAND,
    MOST_HAND,
)
from joute.search.whole_turns import WholeTurns

POSITIONS = 20_000


def known_to(player: int, state: np.ndarray) -> np.ndarray:
    """A copy with nothing in the other's hand and in the decks: equal if it looks so."""
    known = state.copy()
    for each in (0, 1):
        deck = BLOCKS + BLOCK * each + DECK
        known[deck : deck + 2 * CARDS] = 0  # what is in it, and what was destroyed
    hand = BLOCKS + BLOCK * (1 - player) + HAND
    known[hand : hand + MOST_HAND] = 0
    return known


class TurnPlanner:
    """A bot that decides on its whole turn at once, and finds what is left of it by the state."""

    def __init__(self, seat: Seating) -> None:
        self._game = seat.game
        self._player = seat.player
        self._plan: dict[bytes, Choice] = {}  # what is left of the turn, by the state before it

    def play(self, state: np.ndarray) -> Choice:
        """The next action of the best turn."""
        known = known_to(self._player, state)
        if known.tobytes() not in self._plan:
            self._plan, after = {}, known.copy()
            for choice in self._choices(state, known):
                self._plan[after.tobytes()] = choice
                play(self._game, after, choice.action)
        return self._plan[known.tobytes()]

    def _choices(self, state: np.ndarray, known: np.ndarray) -> list[Choice]:
        """The actions of the turn."""
        raise NotImplementedError


class _WholeTurn(TurnPlanner):
    def __init__(self, seat: Seating, search: WholeTurns) -> None:
        super().__init__(seat)
        self._search = search

    def _choices(self, state: np.ndarray, known: np.ndarray) -> list[Choice]:
        found = self._search.search(known)
        cut = "" if found.whole else ", more were left out"
        message = f"values its turn {found.value:.1f}, {found.positions} positions{cut}"
        return [Choice(action, message) for action in found.actions]


def turn(seat: Seating, *, positions: int = POSITIONS) -> BuiltinBot:
    """The bot. Raises BuiltinError for a game that is not Paradise or fewer than one position."""
    check("turn", seat)
    try:
        search = WholeTurns(seat.game, start(seat.game), Linear(), positions)
    except ValueError as error:
        raise refused("turn", error) from None
    return _WholeTurn(seat, search)
