"""Paradise in memory: the parameter, and where everything stands in a state.

State:  int16[SIZE]. First the phase, whose turn it is, turns begun, the heroes that are dead (bit
        0 player 0, bit 1 player 1), cards still to be dealt, actions of this turn. Then a block
        for each player: his hero's health (below 0 when he was hit too hard), mana, maximum mana,
        fatigue, whether the power was used, the sizes of hand, deck and board; the cards of his
        hand, left to right; how many of each card are in his deck; how many of each were
        destroyed unseen; his minions, left to right, FIELDS numbers each.
Action: END, POWER, PLAY + i (the hand's card i, without target), AIM + AIMS * i + t (the hand's
        spell i at t), ATTACK + TARGETS * s + t (minion s at t); t is 0 for the hero, 1..7 for an
        enemy minion, OWN for the mover's own hero (`quirks` only). Outcomes: a card, or
        VICTIM + the enemy minion that Deadly Shot destroys.

What is past the size of a hand or a board is 0, so that equal positions are equal states.
"""

from typing import NamedTuple

import numpy as np

from joute.core.arrays import index
from joute.core.interface import implements, inline
from joute.games.paradise.cards import ALPHA, ATTACK, BOOK, CARDS, DECK_CARDS, HEALTH, RHINO, WOLF

HERO_HEALTH = 30
MOST_HAND, MOST_BOARD, MOST_MANA = 10, 7, 10
DEALT = 3, 4  # cards in the first hands
POWER_COST = POWER_DAMAGE = 2

CHOOSING, SHOOTING, DRAWING, DEALING, ENDED = range(5)  # phases
PHASE, PLAYER, TURN, DEAD, LEFT, ACTED = range(6)
BLOCKS = 8  # where the players' blocks begin

HERO, MANA, MAX_MANA, FATIGUE, POWER_USED, HAND_SIZE, DECK_SIZE, BOARD_SIZE = range(8)
HAND = 8  # in a block, as the next
DECK = HAND + MOST_HAND
DESTROYED = DECK + CARDS
BOARD = DESTROYED + CARDS

KEPT, BASE, LIFE, MAX_LIFE, TURNS, USED = range(6)  # of a minion: its card, ..., has it attacked
FIELDS = 6
BLOCK = BOARD + FIELDS * MOST_BOARD
SIZE = BLOCKS + 2 * BLOCK

END, POWER_ACTION, PLAY = 0, 1, 2
AIM = PLAY + MOST_HAND
AIMS, OWN = 9, 8  # targets of a spell; the mover's own hero among them
STRIKE = AIM + AIMS * MOST_HAND
TARGETS = 8
ACTIONS = STRIKE + TARGETS * MOST_BOARD
VICTIM = CARDS


class Paradise(NamedTuple):
    """The duel; `quirks`: as the original engine has it where nobody would want it."""

    quirks: bool = False


@implements(Paradise)
def start(game: Paradise) -> np.ndarray:
    state = np.zeros(SIZE, np.int16)
    state[PHASE], state[LEFT] = DEALING, sum(DEALT)
    for player in (0, 1):
        first = BLOCKS + player * BLOCK
        state[first + HERO] = HERO_HEALTH
        state[first + DECK_SIZE] = DECK_CARDS
        state[first + DECK : first + DECK + CARDS] = [card.copies for card in BOOK[:CARDS]]
    return state


@inline
def block(player):
    """Where a player's block begins."""
    return BLOCKS + BLOCK * player


@inline
def minion(first, number):
    """Where minion `number`, from 0, of the block at `first` stands."""
    return first + BOARD + FIELDS * number


@inline
def drawer(state):
    """Whose deck the coming card is from."""
    if state[PHASE] == DRAWING:
        return int(state[PLAYER])
    return 0 if state[LEFT] > DEALT[1] else 1


@inline
def bonus(state, first, number):
    """What auras add to a minion's attack."""
    found = 0
    for other in range(int(state[index(first + BOARD_SIZE)])):
        card = int(state[index(minion(first, other))])
        found += (card == WOLF and other != number) or (
            card == ALPHA and (other == number - 1 or other == number + 1)
        )
    return found


@inline
def attack(state, first, number):
    """A minion's attack, auras included."""
    return int(state[index(minion(first, number) + BASE)]) + bonus(state, first, number)


@inline
def charging(state, first):
    """Whether a Rhino gives all minions of this side charge."""
    found = False
    for number in range(int(state[index(first + BOARD_SIZE)])):
        found |= int(state[index(minion(first, number))]) == RHINO
    return found


@inline
def summon(state, first, card):
    """Put a minion at the right end of a board, if there is room."""
    size = int(state[index(first + BOARD_SIZE)])
    if size < MOST_BOARD:
        place = minion(first, size)
        state[index(place)] = card
        state[index(place + BASE)] = int(ATTACK[index(card)])
        state[index(place + LIFE)] = int(HEALTH[index(card)])
        state[index(place + MAX_LIFE)] = int(HEALTH[index(card)])
        state[index(first + BOARD_SIZE)] = size + 1
