"""Love Letter for two as a student project of UTBM plays it: negamax over turns, four deep.

It knows hidden cards only as its view imagines them, one deal of those that it has not seen, and
takes that deal for true; so what it may know of a hand is all that it uses. Of moves of equal value
it plays the one that leads farthest on ("prudent"). Some hands it plays without a search: never the
Princess, a Guard after the opponent's Countess.

Source: "Love Letter, rapport de projet", IA41, UTBM. Option: `depth` in turns.
"""

import numpy as np

from joute.bots import BuiltinError, Choice, Seating, refused
from joute.core.interface import legal, properties
from joute.core.random import generator
from joute.games.love_letter.players.utbm_search import MAX_DEPTH, negamax, shuffle, work
from joute.games.love_letter.players.utbm_values import TUNED, kept, way
from joute.games.love_letter.state import (
    CHOOSING,
    COUNTESS,
    GUARD,
    NAMES,
    PHASE,
    PLAYED,
    PRINCESS,
    LoveLetter,
    log,
)
from joute.i18n.words import Sentence

__all__ = ["TUNED", "UtbmBot", "make"]

DEPTH = 4  # turns


class UtbmBot:
    """See the module."""

    def __init__(self, table: Seating, depth: int) -> None:
        self._game = table.game
        self._player = table.player
        self._depth = depth
        self._rng = generator(table.seed)
        self._work = work()
        self._out = [0] * properties(table.game).max_legal

    def play(self, state: np.ndarray) -> Choice:
        """The card of the highest value, played in the one way it knows."""
        known = state.tolist()
        if state[PHASE] == CHOOSING:
            return Choice(int(kept(self._game, known, self._work.unseen)))
        count = legal(self._game, known, self._out)
        cards = sorted({action // PLAYED for action in self._out[:count]})
        card, message = self._without_search(known, cards), ""
        if card is None:
            card, message = self._searched(state, cards)
        return Choice(int(way(self._game, known, card, self._work.unseen)), message)

    def _without_search(self, state: list[int], cards: list[int]) -> int | None:
        """The card to play where nothing need be searched."""
        if len(cards) == 1:
            return cards[0]
        if PRINCESS in cards:
            return cards[0]
        played = [one.card for one in log(state) if one.played and one.player != self._player]
        if GUARD in cards and played[-1:] == [COUNTESS]:
            return GUARD
        return None

    def _searched(self, state: np.ndarray, cards: list[int]) -> tuple[int, str]:
        shuffle(state, self._work, self._rng)
        found = []
        for card in cards:
            value = negamax(self._game, state, card, self._depth, self._work)
            found.append((float(value), int(self._work.leaf[0]), card))
        # The first of the best: the lower card where value and depth are equal.
        best = max(found, key=lambda each: each[:2])[2]
        told = (f"{NAMES[card]} {value:+.5f} at turn {leaf}" for value, leaf, card in found)
        return best, ", ".join(told)


def make(table: Seating, *, depth: int = DEPTH) -> UtbmBot:
    """The bot. Raises BuiltinError for a game it cannot play or an option out of range."""
    return seated("utbm", table, depth)


def seated(name: str, table: Seating, depth: int) -> UtbmBot:
    """The bot under a name, for its errors."""
    if not isinstance(table.game, LoveLetter) or table.game.players != 2:
        facts = properties(table.game)
        found = {"game": facts.name, "players": facts.players}
        raise BuiltinError(Sentence("error.love-letter.two", bot=name, **found))
    if not 1 <= depth <= MAX_DEPTH:
        bounds = {"lowest": 1, "highest": MAX_DEPTH, "value": depth}
        raise refused(name, Sentence("error.range", name="depth", **bounds))
    return UtbmBot(table, depth)
