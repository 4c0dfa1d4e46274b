"""Paradise: a duel of two heroes with the same 25 cards, minions and spells.

A turn begins with one more mana and a card from the own deck; cards are played, minions attack, the
hero's power is used, in any order, until the turn is ended. Who brings the other hero to 0 wins; an
empty deck costs more health each turn.

Source: the statement of the artificial intelligence contest of the CS Games 2019, and the behaviour
of its own engine wherever the statement is silent or wrong.

The first hands and every draw are outcomes of chance, and each player's deck is a stream of its
own: what a player does changes no draw. Which minion Deadly Shot destroys is an outcome too. The
order of a deck is nowhere: a state counts its cards.
"""

from typing import Any

from joute.core.arrays import index
from joute.core.errors import truth
from joute.core.interface import CHANCE, OVER, implements, inline
from joute.games.paradise.choices import legal, pick
from joute.games.paradise.effects import act, bury
from joute.games.paradise.hidden import chances, determinize, draw, seen
from joute.games.paradise.state import (
    ACTED,
    BLOCKS,
    BOARD_SIZE,
    CHOOSING,
    DEAD,
    DECK,
    DECK_SIZE,
    DESTROYED,
    DRAWING,
    END,
    ENDED,
    FATIGUE,
    HAND,
    HAND_SIZE,
    HERO,
    LEFT,
    LIFE,
    MANA,
    MAX_MANA,
    MOST_HAND,
    MOST_MANA,
    PHASE,
    PLAYER,
    POWER_USED,
    SHOOTING,
    TURN,
    TURNS,
    USED,
    VICTIM,
    Paradise,
    block,
    drawer,
    minion,
)
from joute.games.paradise.text import serve


def make(*, quirks: Any = False) -> Paradise:
    """Paradise; `quirks`: a spell may be shot at one's own hero, and after a kill the next turn
    still begins, as in the original. Raises GameError.
    """
    truth("paradise", "quirks", quirks)
    return Paradise(quirks)


@implements(Paradise)
def mover(game, state):
    phase = int(state[PHASE])
    if phase == CHOOSING:
        return int(state[PLAYER])
    return OVER if phase == ENDED else CHANCE


@implements(Paradise)
def play(game, state, action):
    phase, player = int(state[PHASE]), int(state[PLAYER])
    struck, beginner = False, -1
    if phase == CHOOSING:
        struck = act(state, player, action)
        _judge(state)
        if state[DEAD] and not game.quirks:
            state[PHASE] = ENDED
        elif state[DEAD] or action == END:
            beginner = 1 - player
    elif phase == SHOOTING:
        state[PHASE] = CHOOSING
        state[index(minion(block(1 - player), action - VICTIM) + LIFE)] = 0
        struck = True
    else:
        _take(state, block(drawer(state)), action)
        if phase == DRAWING:
            state[PHASE] = ENDED if state[DEAD] else CHOOSING
        else:
            state[LEFT] -= 1
            beginner = 0 if state[LEFT] == 0 else -1
    if struck:
        for side in range(2):
            bury(state, block(side))
    if beginner >= 0:
        _begin(state, beginner)


@inline
def _judge(state):
    """Note which heroes are dead."""
    first, second = int(state[BLOCKS + HERO]), int(state[index(block(1) + HERO)])
    state[DEAD] = (first <= 0) | (second <= 0) << 1


@inline
def _begin(state, player):
    """Begin a player's turn; his card is drawn by chance, unless the deck is empty."""
    own = block(player)
    state[PLAYER] = player
    state[TURN] += 1
    state[ACTED] = 0
    mana = min(int(state[index(own + MAX_MANA)]) + 1, MOST_MANA)
    state[index(own + MAX_MANA)] = state[index(own + MANA)] = mana
    state[index(own + POWER_USED)] = 0
    for side in range(2):
        first = block(side)
        for number in range(int(state[index(first + BOARD_SIZE)])):
            state[index(minion(first, number) + TURNS)] += 1
            state[index(minion(first, number) + USED)] = 0
    state[PHASE] = DRAWING
    if state[index(own + DECK_SIZE)] == 0:
        state[index(own + FATIGUE)] += 1
        state[index(own + HERO)] -= int(state[index(own + FATIGUE)])
        _judge(state)
        state[PHASE] = ENDED if state[DEAD] else CHOOSING


@inline
def _take(state, own, card):
    """A card from the deck into the hand, or to nowhere if that is full."""
    state[index(own + DECK + card)] -= 1
    state[index(own + DECK_SIZE)] -= 1
    size = int(state[index(own + HAND_SIZE)])
    if size < MOST_HAND:
        state[index(own + HAND + size)] = card
        state[index(own + HAND_SIZE)] = size + 1
    else:
        state[index(own + DESTROYED + card)] += 1


@implements(Paradise)
@inline
def points(game, state, player):
    return max(int(state[index(block(player) + HERO)]), 0)


@implements(Paradise)
def returns(game, state, out):
    # Both heroes are dead only where `quirks` let a turn begin after a kill: nobody has won.
    dead = int(state[DEAD])
    out[0] = float((dead == 2) - (dead == 1))
    out[1] = -out[0]


@implements(Paradise)
def pending(game, state):
    return int(state[ACTED])


@implements(Paradise)
def fault_action(game, state, player):
    return END


for _operation in (legal, pick, chances, draw, seen, determinize):
    implements(Paradise)(_operation)
serve(Paradise)
