"""The value of a position of Paradise between two turns, as learned from games.

A small network: the features of a position, few of which are not 0, into HIDDEN units, of which the
first is counted as it is and the others where they are above 0. The sum is the logarithm of the
odds of winning; the value, from -1 to 1, is what the game will return on average. A player sees
their own hand, of the other's only how many cards, and which cards are gone.

A position within a turn is valued as if the turn were over. The weights are those that `joute learn
paradise` found; the file says with which options.
"""

import math
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.interface import implements, inline
from joute.core.weights import read_weights
from joute.games.paradise.state import (
    ACTED,
    BOARD_SIZE,
    BOOK,
    CARDS,
    COPIES,
    DEAD,
    DECK_SIZE,
    FATIGUE,
    HAND,
    HAND_SIZE,
    HERO,
    HERO_HEALTH,
    LIFE,
    MOST_BOARD,
    MOST_HAND,
    MOST_MANA,
    PLAYER,
    POWER_DAMAGE,
    TURN,
    attack,
    block,
    minion,
    unseen,
)

HIDDEN = 64
LEARNED = Path(__file__).with_name("learned.npz")
MOST_LOGIT = 12.0  # less than a game that is won

# Features of a side, in the order of the weights: of each kind of minion how many there are, their
# health and attack; the hero's health, a feature for each number; likewise the size of the hand;
# then sums, whether the minions and the power can kill, and a feature for each number of turns.
KINDS = len(BOOK)
HEALTHS, ATTACKS = KINDS, 2 * KINDS
HEALTH = 3 * KINDS
HANDS = HEALTH + HERO_HEALTH + 1
DECKS = HANDS + MOST_HAND + 1
EMPTY, BLOWS, THREAT, LETHAL = DECKS + 1, DECKS + 2, DECKS + 3, DECKS + 4
MANA = DECKS + 5
SIDE = MANA + MOST_MANA + 1
# Then the cards in one's own hand, those one has drawn and those that the other has played, of each
# kind, a constant, and whether one's own turn is the next.
OWN_HAND = 2 * SIDE
DRAWN = OWN_HAND + CARDS
PLAYED = DRAWN + CARDS
CONSTANT = PLAYED + CARDS
NEXT = CONSTANT + 1
FEATURES = NEXT + 1
MOST_TERMS = 2 * (3 * MOST_BOARD + 8) + MOST_HAND + 2 * CARDS + 2  # features that are not 0
MOST_THREAT = 1.5


class Value(NamedTuple):
    """The network, and the arrays that it works in; one per thread."""

    weights: np.ndarray  # float32[FEATURES, HIDDEN]
    outer: np.ndarray  # float32[HIDDEN]
    sums: np.ndarray  # float32[HIDDEN]
    places: np.ndarray  # int64[MOST_TERMS]
    amounts: np.ndarray  # float32[MOST_TERMS]


def value(weights: np.ndarray, outer: np.ndarray) -> Value:
    """The network with these weights."""
    return Value(
        np.ascontiguousarray(weights, np.float32),
        np.ascontiguousarray(outer, np.float32),
        np.zeros(HIDDEN, np.float32),
        np.zeros(MOST_TERMS, np.int64),
        np.zeros(MOST_TERMS, np.float32),
    )


@cache
def learned() -> tuple[np.ndarray, np.ndarray]:
    """The weights that are shipped, as `value` takes them."""
    row = load(LEARNED)
    return row[:-HIDDEN].reshape(FEATURES, HIDDEN), row[-HIDDEN:]


def load(path: Path) -> np.ndarray:
    """Weights from a file, in a row. Raises ValueError for a file of other weights."""
    return read_weights(path, FEATURES * HIDDEN + HIDDEN)


@inline
def features(state: Any, player: int, places: Any, amounts: Any) -> int:
    """Writes the features of a state for a player that are not 0; returns how many."""
    count = _side(state, player, 1 - player, 0, places, amounts, 0)
    count = _side(state, 1 - player, player, SIDE, places, amounts, count)
    own = block(player)
    for number in range(int(state[index(own + HAND_SIZE)])):
        card = int(state[index(own + HAND + number)])
        count = _note(places, amounts, count, OWN_HAND + card, 1.0)
    count = _gone(state, player, player, DRAWN, places, amounts, count)
    count = _gone(state, 1 - player, player, PLAYED, places, amounts, count)
    count = _note(places, amounts, count, CONSTANT, 1.0)
    if state[PLAYER] == player and state[ACTED] == 0:
        count = _note(places, amounts, count, NEXT, 1.0)
    return count


@inline
def _note(places: Any, amounts: Any, count: int, place: int, amount: float) -> int:
    places[index(count)] = place
    amounts[index(count)] = amount
    return count + 1


@inline
def _gone(
    state: Any, owner: int, observer: int, first: int, places: Any, amounts: Any, count: int
) -> int:
    """Writes how many of each card of the owner are gone, as the observer sees it.

    A card that a full hand destroyed may still come, as far as anybody knows.
    """
    for card in range(CARDS):
        gone = int(COPIES[index(card)]) - unseen(state, owner, observer, card)
        if gone > 0:
            count = _note(places, amounts, count, first + card, gone)
    return count


@inline
def _side(
    state: Any, player: int, other: int, first: int, places: Any, amounts: Any, count: int
) -> int:
    """Writes the features of one side, from the place `first` on; returns how many there are."""
    own = block(player)
    blows = 0
    for number in range(int(state[index(own + BOARD_SIZE)])):
        place = minion(own, number)
        kind, blow = int(state[index(place)]), attack(state, own, number)
        blows += blow
        count = _note(places, amounts, count, first + kind, 1.0)
        life = int(state[index(place + LIFE)])
        count = _note(places, amounts, count, first + HEALTHS + kind, life / 4)
        count = _note(places, amounts, count, first + ATTACKS + kind, blow / 4)
    health = min(max(int(state[index(own + HERO)]), 0), HERO_HEALTH)
    count = _note(places, amounts, count, first + HEALTH + health, 1.0)
    size = int(state[index(own + HAND_SIZE)])
    count = _note(places, amounts, count, first + HANDS + size, 1.0)
    count = _note(places, amounts, count, first + DECKS, int(state[index(own + DECK_SIZE)]) / 10)
    count = _note(places, amounts, count, first + EMPTY, int(state[index(own + FATIGUE)]) / 4)
    # Turns that are over, since mana is counted when a turn begins.
    turns = (int(state[TURN]) + 1 - player) // 2 - int(
        state[PLAYER] == player and state[ACTED] == 0
    )
    count = _note(places, amounts, count, first + MANA + min(turns, MOST_MANA), 1.0)
    count = _note(places, amounts, count, first + BLOWS, blows / 10)
    target = max(int(state[index(block(other) + HERO)]), 1)
    if blows + POWER_DAMAGE >= target:
        count = _note(places, amounts, count, first + LETHAL, 1.0)
    threat = min(blows / target, MOST_THREAT)
    return _note(places, amounts, count, first + THREAT, threat)


@implements(Value, "evaluate")
def _evaluate(network, game, state, player):
    dead = int(state[DEAD])
    if dead:
        return float((dead >> (1 - player) & 1) - (dead >> player & 1))
    weights, sums, places, amounts = network.weights, network.sums, network.places, network.amounts
    for unit in range(HIDDEN):
        sums[index(unit)] = 0.0
    for term in range(features(state, player, places, amounts)):
        place, amount = index(places[index(term)]), amounts[index(term)]
        # Not HIDDEN: a loop whose length is known is unrolled before it could be vectorized.
        for unit in range(sums.size):
            sums[index(unit)] += amount * weights[place, index(unit)]
    logit = float(sums[0])
    for unit in range(1, HIDDEN):
        logit += max(float(sums[index(unit)]), 0.0) * network.outer[index(unit)]
    return math.tanh(min(max(logit, -MOST_LOGIT), MOST_LOGIT) / 2)
