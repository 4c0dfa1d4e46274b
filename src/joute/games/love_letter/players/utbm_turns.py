"""The parts that the search of `utbm` and its tree share: draws, cards to play, arrays."""

from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.interface import inline
from joute.core.random import below
from joute.games.love_letter.state import (
    BOTTOM,
    CARDS,
    COPIES,
    COUNTESS,
    CURRENT,
    FORCING,
    HANDS,
    NONE,
    POOL,
    SECOND,
    SIZE,
    from_bottom,
)

MAX_DEPTH = 8  # turns


class NegamaxWork(NamedTuple):
    """The arrays that the search works in, by level (turns from the root); one per thread."""

    states: np.ndarray  # int16[MAX_DEPTH + 1, SIZE]
    child: np.ndarray  # int64[MAX_DEPTH], the next child to try
    value: np.ndarray  # float64[MAX_DEPTH], of the best child so far, for the level's mover
    leaf: np.ndarray  # int64[MAX_DEPTH], the level of the leaf that this value comes from
    alpha: np.ndarray  # float64[MAX_DEPTH]
    beta: np.ndarray  # float64[MAX_DEPTH]
    unseen: np.ndarray  # int64[CARDS], scratch
    order: np.ndarray  # int64[cards], the unordered part of the deck, next drawn first
    left: np.ndarray  # int64[cards], how many such cards there are from here to the end of `order`


def work() -> NegamaxWork:
    """Empty arrays for a search."""
    cards = sum(COPIES)
    return NegamaxWork(
        states=np.zeros((MAX_DEPTH + 1, SIZE), np.int16),
        child=np.zeros(MAX_DEPTH, np.int64),
        value=np.zeros(MAX_DEPTH),
        leaf=np.zeros(MAX_DEPTH, np.int64),
        alpha=np.zeros(MAX_DEPTH),
        beta=np.zeros(MAX_DEPTH),
        unseen=np.zeros(CARDS, np.int64),
        order=np.zeros(cards, np.int64),
        left=np.zeros(cards, np.int64),
    )


def shuffle(state: Any, work: NegamaxWork, rng: Any) -> None:
    """Orders the part of the deck that nobody has ordered, by `rng`."""
    cards = [card for card in range(CARDS) for _ in range(int(state[POOL + card]))]
    counts = [0] * CARDS
    for place in range(len(cards) - 1, -1, -1):
        chosen = below(rng, place + 1)
        cards[place], cards[chosen] = cards[chosen], cards[place]
        counts[cards[place]] += 1
        work.order[place], work.left[place] = cards[place], counts[cards[place]]


@inline
def may_come(state: Any, card: int) -> bool:
    """Whether a card may be the next one drawn."""
    if from_bottom(state):
        return int(state[BOTTOM]) == card
    return int(state[index(POOL + card)]) > 0


@inline
def top(state: Any, work: Any) -> int:
    """The next card of the deck: the first of the order that is still there."""
    if from_bottom(state):
        return int(state[BOTTOM])
    place = 0
    while work.left[place] > state[index(POOL + work.order[place])]:
        place += 1
    return int(work.order[place])


@inline
def playable(state: Any, which: int) -> int:
    """The card held (0) or drawn (1), or NONE if it may not be played or is the other one again."""
    held, drawn = int(state[index(HANDS + int(state[CURRENT]))]), int(state[SECOND])
    card, other = (drawn, held) if which else (held, drawn)
    forced = other == COUNTESS and 1 << card & FORCING
    return NONE if forced or (which and held == drawn) else card
