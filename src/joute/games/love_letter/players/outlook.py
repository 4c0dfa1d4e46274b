"""Expectations of simulations of Love Letter, for searches by information sets.

The champion's `Outlook` draws the opponents' hands by what they have played, each with a model of
how its player chooses, and the opponents then choose by these models: the search looks for the best
answer to them, not for an action that is safe against players who see everything. Outside the tree
the champion plays by habits itself.

A simulation ends with the round. What that is worth in a game of several rounds is the chance to
win the race for tokens, if from then on every token goes to each player equally often.

Near the end of the deck the best answer is found exactly (`Endgame`): the opponents' models say how
likely each action is, and the states that are thought possible are numbered: the digits of a number
are what is hidden, each opponent's model, their card where it was not seen, and the cards at the
bottom of the deck that others put there.
"""

import math
import time
from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import copy, index
from joute.core.interface import implements, inline, properties
from joute.core.random import uniform
from joute.games.love_letter.hidden import any_card
from joute.games.love_letter.players.habits import ChoiceHabits, learned
from joute.games.love_letter.players.policies import (
    BY_HABITS,
    BY_RULES,
    MODELS,
    chosen,
)
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
    PHASE,
    POOL,
    RANDOM,
    STARTING,
    TOKENS,
    LoveLetter,
)
from joute.search.best_answer import BestAnswer
from joute.search.ismcts_search import Ismcts
from joute.search.montecarlo import ActionStatistics

MOMENTS = 48  # at which the race is looked at: exact to six digits
TAIL = 8.0  # standard deviations of the time that a player takes for all tokens
LATE = 3  # cards in the deck
NODES_A_SECOND = 10_000_000  # of exact search, at least
NODES_A_SIMULATION = 20  # that take as long
KINDS = len(MODELS)


class Outlook(NamedTuple):
    """The expectations, and the arrays that a simulation works in; one per thread."""

    likelihoods: np.ndarray  # float64[models, players, CARDS]: of a model and a hand, by the log
    hands: np.ndarray  # float64[players, CARDS], the same summed over the models
    models: np.ndarray  # int64[players], in the simulation at hand
    scratch: np.ndarray  # int32[max_legal]
    won: np.ndarray  # float64[tokens + 1, MOMENTS]: how likely so many tokens are there just now
    waiting: np.ndarray  # float64[tokens + 1, MOMENTS]: that they are not there yet
    habits: ChoiceHabits


def outlook(game: LoveLetter, habits: ChoiceHabits | None = None) -> Outlook:
    """The outlook in a game; every hand and model is as likely.

    `habits` are those of its players; None for those learned.
    """
    won, waiting = _race(game.tokens)
    return Outlook(
        np.ones((len(MODELS), game.players, CARDS)),
        np.ones((game.players, CARDS)),
        np.full(game.players, BY_RULES, np.int64),
        np.zeros(properties(game).max_legal, np.int32),
        won,
        waiting,
        learned() if habits is None else habits,
    )


def _race(tokens: int) -> tuple[np.ndarray, np.ndarray]:
    """Outlook.won and .waiting: tokens that come to each player at random, one a unit of time."""
    points, weights = np.polynomial.legendre.leggauss(MOMENTS)
    end = tokens + TAIL * math.sqrt(tokens) + TAIL
    times, weights = end * (points + 1) / 2, end * weights / 2
    exactly = [np.exp(-times) * times**count / math.factorial(count) for count in range(tokens)]
    won, waiting = np.zeros((tokens + 1, MOMENTS)), np.zeros((tokens + 1, MOMENTS))
    for wanted in range(1, tokens + 1):
        won[wanted] = weights * exactly[wanted - 1]
        waiting[wanted] = np.sum(exactly[:wanted], axis=0)
    return won, waiting


@implements(Outlook, "stops")
def _stops(outlook, game, root, state, out):
    if state[PHASE] != STARTING:
        return False
    for player in range(game.players):
        wanted = index(game.tokens - int(state[index(TOKENS + player)]))
        chance = 0.0
        for moment in range(MOMENTS):
            now = outlook.won[wanted, index(moment)]
            for other in range(game.players):
                if other != player:
                    place = index(game.tokens - int(state[index(TOKENS + other)]))
                    now *= outlook.waiting[place, index(moment)]
            chance += now
        out[player] = chance - (1.0 - chance) / (game.players - 1)
    return True


@implements(Outlook, "answer")
def _answer(outlook, game, state, observer, inside, rng):
    player = int(state[CURRENT])
    if player == observer and inside:
        return -1
    model = BY_HABITS if player == observer else int(outlook.models[index(player)])
    return chosen(model, outlook.habits, game, state, outlook.scratch, rng)


@implements(Outlook, "imagine")
def _imagine(outlook, game, state, observer, rng):
    hide(game, state, observer)
    for other in range(game.players):
        place = index(HANDS + other)
        if other == observer or state[place] == NONE:
            continue
        if not state[index(KNOWN + other)] >> observer & 1:
            state[place] = _hand(outlook, state, other, rng)
            state[index(POOL + int(state[place]))] -= 1
        outlook.models[index(other)] = _model(outlook, other, int(state[place]), rng)
    for number in range(int(state[BOTTOM_COUNT])):
        if not state[index(BOTTOM_KNOWN + number)] >> observer & 1:
            card = _any_card(state, rng)
            state[index(BOTTOM + number)] = card
            state[index(POOL + card)] -= 1


@inline
def hide(game: Any, state: Any, observer: int) -> None:
    """Puts the hands and bottom cards that the observer does not know into the pool.

    It is the observer's turn; the cards are drawn anew after it.
    """
    for other in range(game.players):
        place = index(HANDS + other)
        if state[place] != NONE and not state[index(KNOWN + other)] >> observer & 1:
            state[index(POOL + int(state[place]))] += 1
    for number in range(int(state[BOTTOM_COUNT])):
        if not state[index(BOTTOM_KNOWN + number)] >> observer & 1:
            state[index(POOL + int(state[index(BOTTOM + number)]))] += 1


@inline
def _hand(outlook: Any, state: Any, other: int, rng: Any) -> int:
    """A card of the pool, by how likely it makes what the player has played."""
    total = 0.0
    for card in range(CARDS):
        total += outlook.hands[index(other), index(card)] * int(state[index(POOL + card)])
    if total <= 0.0:  # nothing that is left explains it
        return _any_card(state, rng)
    rest = uniform(rng) * total
    found = NONE
    for card in range(CARDS):
        weight = outlook.hands[index(other), index(card)] * int(state[index(POOL + card)])
        if weight > 0.0 and rest >= 0.0:
            found = card
            rest -= weight
    return found


@inline
def _any_card(state: Any, rng: Any) -> int:
    total = 0
    for card in range(CARDS):
        total += int(state[index(POOL + card)])
    return any_card(state, rng, total)


@inline
def _model(outlook: Any, other: int, card: int, rng: Any) -> int:
    """The model of a player who holds this card, by how likely it makes what they have played."""
    rest = uniform(rng) * outlook.hands[index(other), index(card)]
    model = 0
    while model < len(MODELS) - 1:
        rest -= outlook.likelihoods[index(model), index(other), index(card)]
        if rest < 0.0:
            break
        model += 1
    return model


# The end of the deck.


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
    shares(model, outlook.habits, game, state, actions, count, weights, outlook.scratch)
    return True


# The horizon of other searches.


class RoundEnd(NamedTuple):
    """The horizon of other searches: tokens gained on the others until the end of the round.

    A token is worth half as much as the game.
    """


@implements(RoundEnd, "stops")
def _round_over(horizon: Any, game: Any, root: Any, state: Any, out: Any) -> bool:
    if state[PHASE] != STARTING:
        return False
    total = 0.0
    for player in range(game.players):
        place = index(TOKENS + player)
        out[player] = float(state[place]) - float(root[place])
        total += out[player]
    others = game.players - 1
    for player in range(game.players):
        out[player] = (out[player] - (total - out[player]) / others) / 2.0
    return True


def horizon(game: LoveLetter) -> RoundEnd | None:
    """The end of the round, in a game of several."""
    return RoundEnd() if game.tokens > 1 else None
