"""Paradise as numbers for learners: float32[545], all from -1 to 1.

For the player, then for the other: health, mana, maximum mana, fatigue (parts of 30, 10, 10, 10),
whether the power was used, cards in hand and deck (parts of 10, 25); how many of each card are not
seen (parts of 2); the minions from left to right, 7 places of 24 numbers: whether one is there,
attack, life, largest life (parts of 14), turns on the board (1 from the second on), whether it has
attacked, then one number a card, tokens too. Then the player's hand from left to right, 10 places
of one number a card; and whether the player is to act, the turn (parts of 50), whether this turn is
still without an action.
"""

from joute.core.arrays import index
from joute.core.interface import implements, mover
from joute.games.paradise.state import (
    ACTED,
    BASE,
    BOARD,
    BOARD_SIZE,
    BOOK,
    CARD,
    CARDS,
    DECK_CARDS,
    DECK_SIZE,
    FATIGUE,
    FIELDS,
    HAND,
    HAND_SIZE,
    HERO,
    HERO_HEALTH,
    LIFE,
    MANA,
    MAX_LIFE,
    MAX_MANA,
    MOST_BOARD,
    MOST_HAND,
    MOST_MANA,
    POWER_USED,
    TURN,
    TURNS,
    USED,
    Paradise,
    block,
    unseen,
)

MINION = 6 + len(BOOK)  # numbers of one
SIDE = 7 + CARDS + MINION * MOST_BOARD
SIZE = 2 * SIDE + CARDS * MOST_HAND + 3
LARGEST = 14.0  # attack and life of the largest card
LONG = 50.0  # turns


@implements(Paradise)
def features_shape(game: Paradise) -> tuple[int, ...]:
    return (SIZE,)


@implements(Paradise)
def features(game, state, player, out):
    for side in range(2):
        owner = player if side == 0 else 1 - player
        own, at = block(owner), SIDE * side
        out[index(at)] = max(min(float(state[index(own + HERO)]) / HERO_HEALTH, 1.0), 0.0)
        out[index(at + 1)] = float(state[index(own + MANA)]) / MOST_MANA
        out[index(at + 2)] = float(state[index(own + MAX_MANA)]) / MOST_MANA
        out[index(at + 3)] = min(float(state[index(own + FATIGUE)]) / 10.0, 1.0)
        out[index(at + 4)] = 1.0 if state[index(own + POWER_USED)] != 0 else 0.0
        out[index(at + 5)] = float(state[index(own + HAND_SIZE)]) / MOST_HAND
        out[index(at + 6)] = float(state[index(own + DECK_SIZE)]) / DECK_CARDS
        for card in range(CARDS):
            out[index(at + 7 + card)] = float(unseen(state, owner, player, card)) / 2.0
        for place in range(int(state[index(own + HAND_SIZE)]) if side == 0 else 0):
            card = int(state[index(own + HAND + place)])
            out[index(2 * SIDE + CARDS * place + card)] = 1.0
        for place in range(int(state[index(own + BOARD_SIZE)])):
            minion = own + BOARD + FIELDS * place
            to, card = at + 7 + CARDS + MINION * place, int(state[index(minion + CARD)])
            out[index(to)] = 1.0
            out[index(to + 1)] = min(float(state[index(minion + BASE)]) / LARGEST, 1.0)
            out[index(to + 2)] = max(min(float(state[index(minion + LIFE)]) / LARGEST, 1.0), -1.0)
            out[index(to + 3)] = min(float(state[index(minion + MAX_LIFE)]) / LARGEST, 1.0)
            out[index(to + 4)] = min(float(state[index(minion + TURNS)]), 1.0)
            out[index(to + 5)] = 1.0 if state[index(minion + USED)] != 0 else 0.0
            out[index(to + 6 + card)] = 1.0
    rest = 2 * SIDE + CARDS * MOST_HAND
    out[index(rest)] = 1.0 if mover(game, state) == player else 0.0
    out[index(rest + 1)] = min(float(state[TURN]) / LONG, 1.0)
    out[index(rest + 2)] = 1.0 if state[ACTED] == 0 else 0.0
