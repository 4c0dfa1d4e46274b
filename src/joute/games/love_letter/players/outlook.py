"""Expectations of simulations of Love Letter, for searches by information sets.

The champion's `Outlook` draws the opponents' hands by what they have played, each with a model of
how its player chooses, and the opponents then choose by these models: the search looks for the best
answer to them, not for an action that is safe against players who see everything. Outside the tree
the champion plays by the rules itself.

A simulation ends with the round. What that is worth in a game of several rounds is the chance to
win the race for tokens, if from then on every token goes to each player equally often.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.interface import implements, inline, properties
from joute.core.random import below, uniform
from joute.games.love_letter.players.policies import BY_RULES, MODELS, chosen
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
    STARTING,
    TOKENS,
    LoveLetter,
)

MOMENTS = 48  # at which the race is looked at: exact to six digits
TAIL = 8.0  # standard deviations of the time that a player takes for all tokens


class Outlook(NamedTuple):
    """The expectations, and the arrays that a simulation works in; one per thread."""

    likelihoods: np.ndarray  # float64[models, players, CARDS]: of a model and a hand, by the log
    hands: np.ndarray  # float64[players, CARDS], the same summed over the models
    models: np.ndarray  # int64[players], in the simulation at hand
    scratch: np.ndarray  # int32[max_legal]
    won: np.ndarray  # float64[tokens + 1, MOMENTS]: how likely so many tokens are there just now
    waiting: np.ndarray  # float64[tokens + 1, MOMENTS]: that they are not there yet


def outlook(game: LoveLetter) -> Outlook:
    """The outlook in a game; every hand and model is as likely."""
    won, waiting = _race(game.tokens)
    return Outlook(
        np.ones((len(MODELS), game.players, CARDS)),
        np.ones((game.players, CARDS)),
        np.full(game.players, BY_RULES, np.int64),
        np.zeros(properties(game).max_legal, np.int32),
        won,
        waiting,
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
    model = BY_RULES if player == observer else int(outlook.models[index(player)])
    return chosen(model, game, state, outlook.scratch, rng)


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
    rest = below(rng, total)
    card = 0
    while rest >= int(state[index(POOL + card)]):
        rest -= int(state[index(POOL + card)])
        card += 1
    return card


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
