"""Love Letter's champion near the end of the deck: the best answer to its opponents, exactly.

For that search its opponents' models say how likely each action is, and the states that it thinks
possible are numbered: the digits of a number are what is hidden, each opponent's model, his card
where it was not seen, and the cards at the bottom of the deck that others put there.
"""

import time
from typing import Any

from joute.core.arrays import copy, index
from joute.core.interface import implements, inline
from joute.games.love_letter.players.outlook import Outlook, hide
from joute.games.love_letter.players.policies import MODELS
from joute.games.love_letter.players.shares import shares
from joute.games.love_letter.state import (
    BOTTOM,
    BOTTOM_COUNT,
    BOTTOM_KNOWN,
    CARDS,
    CURRENT,
    HANDS,
    KNOWN,
    NONE,
    POOL,
    RANDOM,
    LoveLetter,
)
from joute.search.best_answer import BestAnswer
from joute.search.ismcts import Ismcts
from joute.search.montecarlo import ActionStatistics

LATE = 3  # cards in the deck
NODES_A_SECOND = 10_000_000  # of exact search, at least
NODES_A_SIMULATION = 20  # that take as long
KINDS = len(MODELS)


class Endgame:
    """Exact search with at most `late` cards in the deck, where it takes no longer than the other.

    Else, and for the time that is left, search by simulations.
    """

    def __init__(
        self, game: LoveLetter, outlook: Outlook, search: Ismcts, late: int = LATE
    ) -> None:
        self._exact = BestAnswer(game, outlook)
        self._search = search
        self._late = late

    def search(
        self, state: Any, simulations: int | None = None, seconds: float | None = None
    ) -> ActionStatistics:
        """Weigh the legal actions exactly, or as `Ismcts.search` does."""
        if int(state[RANDOM]) + int(state[BOTTOM_COUNT]) <= self._late:
            begun = time.thread_time()
            budget = NODES_A_SIMULATION * (simulations or 0)
            found = self._exact.search(state, budget or int(NODES_A_SECOND * (seconds or 0.0)))
            if found is not None:
                return found
            if seconds is not None:
                seconds = max(seconds - (time.thread_time() - begun), 0.0)
        return self._search.search(state, simulations, seconds)


@implements(Outlook, "world")
def _world(outlook, game, state, observer, number, out):
    copy(out, state)
    hide(game, out, observer)
    likelihood = 1.0
    for other in range(game.players):
        place = index(HANDS + other)
        if other == observer or out[place] == NONE:
            continue
        model = number % KINDS
        number //= KINDS
        if not out[index(KNOWN + other)] >> observer & 1:
            likelihood *= _put(out, HANDS + other, number % CARDS)
            number //= CARDS
        outlook.models[index(other)] = model
        likelihood *= outlook.likelihoods[index(model), index(other), index(int(out[place]))]
    for each in range(int(out[BOTTOM_COUNT])):
        if not out[index(BOTTOM_KNOWN + each)] >> observer & 1:
            likelihood *= _put(out, BOTTOM + each, number % CARDS)
            number //= CARDS
    return -1.0 if number > 0 else likelihood


@inline
def _put(state, place, card):
    """Put a card of the pool to a place; return in how many ways, 0 if it has none."""
    ways = max(int(state[index(POOL + card)]), 0)
    state[index(POOL + card)] -= 1
    state[index(place)] = card
    return ways


@implements(Outlook, "answers")
def _answers(outlook, game, state, observer, actions, count, weights):
    player = int(state[CURRENT])
    if player == observer:
        return False
    model = int(outlook.models[index(player)])
    shares(model, game, state, actions, count, weights, outlook.scratch)
    return True
