"""Chance in Love Letter, what each player sees of actions and draws, and what nobody can know."""

from joute.core.arrays import index
from joute.core.interface import implements, inline
from joute.core.random import below
from joute.games.love_letter.state import (
    ACTIONS,
    ALIVE,
    ASIDE_GONE,
    BOTTOM,
    BOTTOM_COUNT,
    BOTTOM_KNOWN,
    CARDS,
    CHOOSING,
    CURRENT,
    DEALING,
    DRAWING,
    DUE,
    FOR_CHANCELLOR,
    FOR_HAND,
    FOR_TURN,
    GUARD,
    HANDS,
    KING,
    KNOWN,
    NOBODY,
    NONE,
    PHASE,
    PLAYED,
    PLAYING,
    POOL,
    PRIEST,
    PRINCE,
    PRINCESS,
    RANDOM,
    REASON,
    RECEIVER,
    ROUND,
    SECOND,
    SECOND_KNOWN,
    STARTING,
    THIRD,
    WINNERS,
    LoveLetter,
    draws,
    from_bottom,
)

SOME_CARD = CARDS  # what one sees of a card drawn by another
SOME_CHOICE = ACTIONS  # and of another's choice with a Chancellor
SHOWN = 2048  # what an action shows is this many times a number, added to the action
TIE = 32


@implements(LoveLetter)
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


@implements(LoveLetter)
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
    return any_card(state, rng, _pool_size(state))


@inline
def take(state, card):
    """Takes a card from the deck, or the one set aside, to where it is due."""
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


@implements(LoveLetter)
def determinize(game, state, player, rng):
    """Redraws all cards that the player has not seen: each deal of the cards is as likely.

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
    """The players who may start the round, as bits: all for the first, then the last winners."""
    return (1 << game.players) - 1 if state[ROUND] == 0 else int(state[WINNERS])


@inline
def _pool_size(state):
    """Cards in the deck that nobody has ordered, and the one set aside."""
    return int(state[RANDOM]) + 1 - int(state[ASIDE_GONE])


@inline
def any_card(state, rng, total):
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
    """Puts a place's card into the pool (step 0) or draws another (1); returns the pool's size."""
    if step == 0:
        state[index(POOL + int(state[index(place)]))] += 1
        return total + 1
    card = any_card(state, rng, total)
    state[index(POOL + card)] -= 1
    state[index(place)] = card
    return total - 1


@implements(LoveLetter)
def seen(game, state, player, action):
    phase = int(state[PHASE])
    if phase == PLAYING:
        return action + SHOWN * _shown(state, player, action)
    if phase == CHOOSING:
        return action if state[CURRENT] == player else SOME_CHOICE
    if phase == DEALING:
        due = int(state[DUE])
        open_card = due > game.players or game.players - due == player
        return action if open_card else SOME_CARD
    if phase == DRAWING and not (sees_draw(state, player) or _shown_at_once(state)):
        return SOME_CARD
    return action


@inline
def _shown_at_once(state):
    """Whether the round ends with the card that is drawn: the hands are open then."""
    last = state[RANDOM] + state[BOTTOM_COUNT] <= 1
    return last and state[REASON] == FOR_HAND


@inline
def sees_draw(state, player):
    """Whether a player knows the card that is drawn: who draws it, and who put it at the bottom.

    Who put a card there that a Chancellor draws is told nothing: it may be kept or put back.
    """
    if draws(state) == player:
        return True
    if not from_bottom(state) or state[REASON] == FOR_CHANCELLOR:
        return False
    return (int(state[BOTTOM_KNOWN]) >> player & 1) == 1


@inline
def _shown(state, player, action):
    """A number for what a card played shows to a player besides itself."""
    mover = int(state[CURRENT])
    card = action // PLAYED
    how = action % PLAYED
    held = int(state[index(HANDS + mover)])
    mine = int(state[SECOND]) if held == card else held
    if card == PRINCESS:
        return 1 + mine
    if how >= NOBODY:
        return 0
    target, guess = how // 10, how % 10
    theirs = mine if target == mover else int(state[index(HANDS + target)])
    if card == GUARD:
        return int(theirs == guess)
    if card == PRINCE:
        return 1 + theirs
    if card == PRIEST:
        return 1 + theirs if player == mover else 0
    if player == mover:
        return TIE + 1 + theirs
    if player == target:
        return TIE + 1 + mine
    if card == KING:
        return 0
    if mine == theirs:
        return TIE
    return 1 + mine if mine < theirs else 1 + CARDS + theirs
