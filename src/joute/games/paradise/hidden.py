"""Chance in Paradise, what a player sees of it, and what they cannot know.

A player knows their own hand and what both have played. They do not know the other's hand, nor the
order of any deck, nor which cards were destroyed because a hand was full, not even their own: what
they have not seen are the 25 cards less those played (and less their own hand), by count.
"""

from joute.core.arrays import index
from joute.core.interface import implements, inline
from joute.core.random import below
from joute.games.paradise.state import (
    ACTIONS,
    AIM,
    AIMS,
    BOARD_SIZE,
    CARDS,
    CHOOSING,
    DECK,
    DECK_SIZE,
    DESTROYED,
    HAND,
    HAND_SIZE,
    MOST_HAND,
    PHASE,
    PLAY,
    PLAYER,
    SHOOTING,
    STRIKE,
    VICTIM,
    Paradise,
    block,
    drawer,
)

UNKNOWN = VICTIM + 7  # what is seen of a card that is drawn unseen
UNTARGETED = AIMS  # the target of a card without one, in what is seen
SHOWN = ACTIONS  # + AIMS + 1 numbers a card: what the other sees of a card that is played


@implements(Paradise)
def chances(game, state, out, weights):
    count = 0
    if state[PHASE] == SHOOTING:
        count = int(state[index(block(1 - int(state[PLAYER])) + BOARD_SIZE)])
        for number in range(count):
            out[number] = VICTIM + number
            weights[number] = 1.0 / count
        return count
    own = block(drawer(state))
    for card in range(CARDS):
        copies = int(state[index(own + DECK + card)])
        if copies:
            out[count] = card
            weights[count] = copies / int(state[index(own + DECK_SIZE)])
            count += 1
    return count


@implements(Paradise)
def draw(game, state, out, weights, rng):
    if state[PHASE] == SHOOTING:
        return VICTIM + below(rng, int(state[index(block(1 - int(state[PLAYER])) + BOARD_SIZE)]))
    return _any_card(state, block(drawer(state)), rng)


@inline
def _any_card(state, own, rng):
    """A card of a deck, each equally likely; it stays there."""
    rest = below(rng, int(state[index(own + DECK_SIZE)]))
    card = 0
    rest -= int(state[index(own + DECK)])
    while rest >= 0:
        card += 1
        rest -= int(state[index(own + DECK + card)])
    return card


@implements(Paradise)
def seen(game, state, player, action):
    phase = int(state[PHASE])
    mover = int(state[PLAYER])
    if phase == SHOOTING:
        return action
    if phase != CHOOSING:
        own = drawer(state)
        full = state[index(block(own) + HAND_SIZE)] == MOST_HAND
        return UNKNOWN if full or player != own else action
    if player == mover or action < PLAY or action >= STRIKE:
        return action
    # Where in the hand it was says something about when it was drawn.
    place, target = action - PLAY, UNTARGETED
    if action >= AIM:
        place, target = (action - AIM) // AIMS, (action - AIM) % AIMS
    return SHOWN + (AIMS + 1) * int(state[index(block(mover) + HAND + place)]) + target


@implements(Paradise)
def determinize(game, state, player, rng):
    own, other = block(player), block(1 - player)
    _destroy(state, own, rng, _found_again(state, own))
    destroyed = _found_again(state, other)
    hand = int(state[index(other + HAND_SIZE)])
    for place in range(hand):
        state[index(other + DECK + int(state[index(other + HAND + place)]))] += 1
    state[index(other + DECK_SIZE)] += hand
    for place in range(hand):
        state[index(other + HAND + place)] = _removed(state, other, rng)
    _destroy(state, other, rng, destroyed)


@inline
def _found_again(state, first):
    """Puts the cards that were destroyed back into the deck; returns how many."""
    destroyed = 0
    for card in range(CARDS):
        copies = int(state[index(first + DESTROYED + card)])
        state[index(first + DECK + card)] += copies
        state[index(first + DESTROYED + card)] = 0
        destroyed += copies
    state[index(first + DECK_SIZE)] += destroyed
    return destroyed


@inline
def _destroy(state, first, rng, count):
    """Destroys so many cards of a deck."""
    for _ in range(count):
        card = _removed(state, first, rng)
        state[index(first + DESTROYED + card)] += 1


@inline
def _removed(state, first, rng):
    """A card taken from a deck, each equally likely."""
    card = _any_card(state, first, rng)
    state[index(first + DECK + card)] -= 1
    state[index(first + DECK_SIZE)] -= 1
    return card
