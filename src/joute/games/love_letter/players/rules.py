"""Love Letter by a few rules: a frozen player for comparisons, which knows only what it has seen.

1. A Countess that must be played is played.
2. If it has seen the card of an opponent who may be chosen: a Guard names it; else a Baron, if its
   other card is higher; else a Prince makes its owner discard the Princess.
3. Else the lower card is played, but a Baron stays beside a Handmaid or a Prince, and a Handmaid is
   played rather than a Priest or a Baron.

A Guard names the character of which most copies are unseen; a Prince is for an opponent where one
may be chosen. With a Chancellor it keeps the highest card: a Spy counts 3, the Princess is kept
only near the end of the deck. Ties are drawn.
"""

from collections.abc import Callable

import numpy as np

from joute.bots import BuiltinBot, Choice, Seating, other_game
from joute.core.interface import legal, properties
from joute.core.random import below, generator
from joute.games.love_letter.state import (
    BARON,
    BOTTOM_COUNT,
    CHOOSING,
    COUNTESS,
    GUARD,
    HANDMAID,
    NOBODY,
    PHASE,
    PLAYED,
    PRIEST,
    PRINCE,
    PRINCESS,
    RANDOM,
    SPY,
    LoveLetter,
    card_kept,
    hand,
    members,
    targets,
)
from joute.games.love_letter.text import known, unseen

INTERPRETED = True  # no kernel is used

NEAR_END = 3  # cards in the deck with which the Princess is kept
SPY_WORTH, PRINCESS_KEPT, PRINCESS_RETURNED = 3, 20, -1


class _Rules:
    def __init__(self, seat: Seating) -> None:
        self._game = seat.game
        self._player = seat.player
        self._rng = generator(seat.seed)
        self._out = [0] * properties(seat.game).max_legal

    def play(self, state: np.ndarray) -> Choice:
        count = legal(self._game, state, self._out)
        actions = self._out[:count]
        if state[PHASE] == CHOOSING:
            return Choice(self._kept(state, actions))
        if {action // PLAYED for action in actions} == {COUNTESS}:
            return Choice(actions[0])
        return Choice(self._against_known(state) or self._usual(state, actions))

    def _kept(self, state: np.ndarray, actions: list[int]) -> int:
        """The choice with a Chancellor; the order of the others is drawn."""
        deck = int(state[RANDOM]) + int(state[BOTTOM_COUNT])

        def worth(action: int) -> int:
            card = card_kept(action)
            if card == PRINCESS:
                return PRINCESS_KEPT if deck <= NEAR_END else PRINCESS_RETURNED
            return SPY_WORTH if card == SPY else card

        return self._best(actions, worth)

    def _against_known(self, state: np.ndarray) -> int:
        """The action that uses a card that was seen; 0 for none, as no card is played so."""
        held, open_players = hand(state, self._player), members(targets(state))
        seen = [pair for pair in known(self._game, state, self._player) if pair[0] in open_players]
        other = held[0] if held[1] == BARON else held[1]
        found: list[int] = []
        if GUARD in held:
            found = [GUARD * PLAYED + 10 * who + card for who, card in seen if card != GUARD]
        if BARON in held and not found:
            found = [BARON * PLAYED + 10 * who for who, card in seen if other > card]
        if PRINCE in held and not found:
            found = [PRINCE * PLAYED + 10 * who for who, card in seen if card == PRINCESS]
        return found[below(self._rng, len(found))] if found else 0

    def _usual(self, state: np.ndarray, actions: list[int]) -> int:
        """The lower card but for the exceptions, in the best way."""
        low, high = sorted(hand(state, self._player))
        card = low
        if (low == BARON and high in (HANDMAID, PRINCE)) or (low == PRIEST and high == HANDMAID):
            card = high
        ways = [action for action in actions if action // PLAYED == card]
        if card == PRINCE:
            others = [way for way in ways if way % PLAYED // 10 != self._player]
            ways = others or ways
        if card == GUARD and ways[0] % PLAYED != NOBODY:
            copies = unseen(self._game, state, self._player)
            return self._best(ways, lambda way: copies[way % PLAYED % 10])
        return ways[below(self._rng, len(ways))]

    def _best(self, actions: list[int], worth: Callable[[int], int]) -> int:
        most = max(map(worth, actions))
        best = [action for action in actions if worth(action) == most]
        return best[below(self._rng, len(best))]


def make(seat: Seating) -> BuiltinBot:
    """No options. Raises BuiltinError for a game that is not Love Letter."""
    if not isinstance(seat.game, LoveLetter):
        raise other_game("rules", "love-letter", seat)
    return _Rules(seat)
