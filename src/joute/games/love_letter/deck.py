"""What is drawn in Love Letter, and what a player may imagine of what he cannot see."""

from joute.core.arrays import index
from joute.core.interface import inline
from joute.core.random import below
from joute.games.love_letter.state import (
    ALIVE,
    ASIDE_GONE,
    BOTTOM,
    BOTTOM_COUNT,
    BOTTOM_KNOWN,
    CARDS,
    CURRENT,
    DUE,
    FOR_HAND,
    FOR_TURN,
    HANDS,
    KNOWN,
    NONE,
    PHASE,
    POOL,
    RANDOM,
    REASON,
    RECEIVER,
    ROUND,
    SECOND,
    SECOND_KNOWN,
    STARTING,
    THIRD,
    WINNERS,
    from_bottom,
)


def chances(game, state, out, weights):
    count = 0
    if state[PHASE] == STARTING:
        starters = _starters(game, state)
        for player in range(game.players):
            if starters >> player & 1:
                out[count] = player
                count += 1
        for place in range(count):
            weights[place] = 1.0 / count
        return count
    if from_bottom(state):
        out[0] = int(state[BOTTOM])
        weights[0] = 1.0
        return 1
    total = _pool_size(state)
    for card in range(CARDS):
        copies = int(state[index(POOL + card)])
        if copies > 0:
            out[count] = card
            weights[count] = copies / total
            count += 1
    return count


def draw(game, state, out, weights, rng):
    if state[PHASE] == STARTING:
        starters = _starters(game, state)
        number = 0
        for player in range(game.players):
            number += starters >> player & 1
        rank = below(rng, number)
        player = 0
        while True:
            if starters >> player & 1:
                if rank == 0:
                    return player
                rank -= 1
            player += 1
    if from_bottom(state):
        return int(state[BOTTOM])
    return _any_card(state, rng, _pool_size(state))


@inline
def take(state, card):
    """Take a card from the deck, or the one set aside, to where it is due."""
    known = 0
    if from_bottom(state):
        known = int(state[BOTTOM_KNOWN])
        count = int(state[BOTTOM_COUNT]) - 1
        state[BOTTOM_COUNT] = count
        for place in range(count):
            state[index(BOTTOM + place)] = state[index(BOTTOM + place + 1)]
            state[index(BOTTOM_KNOWN + place)] = state[index(BOTTOM_KNOWN + place + 1)]
        state[index(BOTTOM + count)] = state[index(BOTTOM_KNOWN + count)] = 0
    else:
        state[index(POOL + card)] -= 1
        if state[RANDOM] > 0:
            state[RANDOM] -= 1
        else:
            state[ASIDE_GONE] = 1
    state[DUE] -= 1
    reason = int(state[REASON])
    if reason == FOR_HAND:
        receiver = int(state[RECEIVER])
        state[index(HANDS + receiver)] = card
        state[index(KNOWN + receiver)] = known | 1 << receiver
    elif state[SECOND] == NONE:
        state[SECOND] = card
        if reason == FOR_TURN:
            state[SECOND_KNOWN] = known | 1 << int(state[CURRENT])
    else:
        state[THIRD] = card


def determinize(game, state, player, rng):
    """Redraw all cards that the player has not seen: each deal of the cards is as likely.

    Hands and the Chancellor's cards keep their places, the deck its size; nothing is concluded from
    what others played.
    """
    total = _pool_size(state)
    for step in range(2):
        # First every hidden card goes back to the pool, then as many are drawn.
        for other in range(game.players):
            if state[ALIVE] >> other & 1 and state[index(HANDS + other)] != NONE:
                if not state[index(KNOWN + other)] >> player & 1:
                    total = _exchange(state, HANDS + other, rng, total, step)
        if state[CURRENT] != player:
            if state[SECOND] != NONE and not state[SECOND_KNOWN] >> player & 1:
                total = _exchange(state, SECOND, rng, total, step)
            if state[THIRD] != NONE:
                total = _exchange(state, THIRD, rng, total, step)
        for place in range(int(state[BOTTOM_COUNT])):
            if not state[index(BOTTOM_KNOWN + place)] >> player & 1:
                total = _exchange(state, BOTTOM + place, rng, total, step)


@inline
def _starters(game, state):
    """Who may start the round, as bits: anyone the first, then the winners of the last."""
    return (1 << game.players) - 1 if state[ROUND] == 0 else int(state[WINNERS])


@inline
def _pool_size(state):
    """Cards in the deck that nobody has ordered, and the one set aside."""
    return int(state[RANDOM]) + 1 - int(state[ASIDE_GONE])


@inline
def _any_card(state, rng, total):
    """A card of the pool, which has `total`."""
    rank = below(rng, total)
    card = 0
    while True:
        rank -= int(state[index(POOL + card)])
        if rank < 0:
            return card
        card += 1


@inline
def _exchange(state, place, rng, total, step):
    """Put the card of a place into the pool (step 0), or draw another (1); the pool's new size."""
    if step == 0:
        state[index(POOL + int(state[index(place)]))] += 1
        return total + 1
    card = _any_card(state, rng, total)
    state[index(POOL + card)] -= 1
    state[index(place)] = card
    return total - 1
