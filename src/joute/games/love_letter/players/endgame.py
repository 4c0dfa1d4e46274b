"""Love Letter's champion near the end of the deck: the best answer to its opponents, exactly.

For that search its opponents' models say how likely each action is, and the states that it thinks
possible are numbered: the digits of a number are what is hidden, each opponent's model, their card
where it was not seen, and the cards at the bottom of the deck that others put there.
"""

import time
from typing import Any

from joute.core.arrays import copy, index, lowest, popcount
from joute.core.interface import implements, inline
from joute.games.love_letter.players.outlook import Outlook, hide
from joute.games.love_letter.players.policies import (
    BY_ACTION,
    BY_DECISION,
    BY_RULES,
    MODELS,
    by_rules,
    forced,
    kept_card,
    known_to,
    unseen_copies,
    used,
)
from joute.games.love_letter.state import (
    BOTTOM,
    BOTTOM_COUNT,
    BOTTOM_KNOWN,
    CARDS,
    CHOICE,
    CHOOSING,
    COUNTESS,
    CURRENT,
    GUARD,
    HANDS,
    KNOWN,
    NOBODY,
    NONE,
    PHASE,
    PLAYED,
    POOL,
    PRINCE,
    RANDOM,
    SECOND,
    SINGLE,
    LoveLetter,
    targets,
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
        """Weighs the legal actions exactly, or as `Ismcts.search` does."""
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
    """Puts a card of the pool to a place; returns in how many ways, 0 if the pool has none."""
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


@inline
def shares(
    model: int, game: Any, state: Any, actions: Any, count: int, weights: Any, scratch: Any
) -> None:
    """Writes how likely the model chooses each legal action, of which there are `count`.

    `chosen` of the module `policies` draws one by the same chances.
    `scratch` is int[CARDS] at least.
    """
    choosing = state[PHASE] == CHOOSING
    if model == BY_ACTION or (model == BY_DECISION and choosing):
        for each in range(count):
            weights[index(each)] = 1.0 / count
        return
    for each in range(count):
        weights[index(each)] = 0.0
    if choosing:
        _share_kept(state, actions, count, weights)
        return
    player = int(state[CURRENT])
    held, drawn = int(state[index(HANDS + player)]), int(state[SECOND])
    unseen_copies(game, state, player, scratch)
    one, two, part = held, drawn, 0.5  # how likely each of the two is
    if forced(held, drawn):
        one = two = COUNTESS
    elif model == BY_RULES:
        one = two = by_rules(held, drawn)
        part -= 0.5 * _share_known(state, player, held, drawn, actions, count, weights)
    for card in (one, two):
        ways = 0
        for turn in range(2):
            for each in range(count):
                action = int(actions[index(each)])
                if action // PLAYED != card or not _sensible(model, state, action, scratch):
                    continue
                if turn == 0:
                    ways += 1
                else:
                    weights[index(each)] += part / ways


@inline
def _share_known(state, player, held, drawn, actions, count, weights):
    """Shares out what uses a card that was seen, by the rules; returns how likely that is."""
    known = known_to(state, targets(state), player)
    part, total = 1.0 / max(popcount(known), 1), 0.0
    while known:
        other = lowest(known)
        known &= known - 1
        theirs = int(state[index(HANDS + other)])
        card = used(held, drawn, theirs)
        if card != NONE:
            total += part
            action = card * PLAYED + 10 * other + (theirs if card == GUARD else 0)
            for each in range(count):
                if actions[index(each)] == action:
                    weights[index(each)] += part
    return total


@inline
def _sensible(model, state, action, scratch):
    """Whether a model plays a card in this way at all: all such ways are as likely.

    By the rules a Guard names the likeliest, and a Prince is for oneself only if it must be.
    """
    card, how = action // PLAYED, action % PLAYED
    if model != BY_RULES or how == NOBODY:
        return True
    if card == PRINCE:
        return how // 10 != state[CURRENT] or targets(state) == 0
    most = 0
    for each in range(CARDS):
        most = max(most, int(scratch[each]))
    return card != GUARD or scratch[index(how % 10)] == most


@inline
def _share_kept(state, actions, count, weights):
    """Shares out a Chancellor's choice by the rules: the others go back in any order."""
    best, ways = kept_card(state), 0
    for turn in range(2):
        for each in range(count):
            action = int(actions[index(each)])
            kept = (action - SINGLE) // 10 if action >= SINGLE else (action - CHOICE) // 100
            if kept == best and turn == 0:
                ways += 1
            elif kept == best:
                weights[index(each)] = 1.0 / ways
