"""The choices of a turn of Paradise, as sets of bits: cards, spells with targets, minions."""

from joute.core.arrays import index, kth, lowest, popcount
from joute.core.interface import inline
from joute.core.random import below
from joute.games.paradise.cards import AIMED, COST, HOUND, KIND
from joute.games.paradise.state import (
    AIM,
    AIMS,
    BOARD_SIZE,
    END,
    HAND,
    HAND_SIZE,
    MANA,
    MOST_BOARD,
    OWN,
    PLAY,
    PLAYER,
    POWER_ACTION,
    POWER_COST,
    POWER_USED,
    STRIKE,
    TARGETS,
    TURNS,
    USED,
    block,
    charging,
    minion,
)


@inline
def _choices(state):
    """Whether the power can be used, cards to play, spells to aim, minions to attack with; enemies.

    Sets of positions as bits; the number of enemy minions.
    """
    player = int(state[PLAYER])
    own, other = block(player), block(1 - player)
    mana = int(state[index(own + MANA)])
    size = int(state[index(own + BOARD_SIZE)])
    enemies = int(state[index(other + BOARD_SIZE)])
    room, prey = size < MOST_BOARD, enemies > 0
    # A bit for each kind of card: MINION, SHOT, HOUNDS, AIMED.
    allowed = room | prey << 1 | (room & prey) << 2 | 1 << AIMED
    cards, spells, ready = 0, 0, 0
    for place in range(int(state[index(own + HAND_SIZE)])):
        card = int(state[index(own + HAND + place)])
        kind = int(KIND[index(card)])
        playable = (int(COST[index(card)]) <= mana) & (allowed >> kind)
        aimed = kind == AIMED
        cards |= (playable & (not aimed)) << place
        spells |= (playable & aimed) << place
    charge = charging(state, own)
    for number in range(size):
        place = minion(own, number)
        awake = (state[index(place + TURNS)] > 0) | charge | (state[index(place)] == HOUND)
        ready |= (awake & (state[index(place + USED)] == 0)) << number
    power = mana >= POWER_COST and state[index(own + POWER_USED)] == 0
    return power, cards, spells, ready, enemies


def legal(game, state, out):
    power, cards, spells, ready, enemies = _choices(state)
    out[0] = END
    count = 1
    if power:
        out[count] = POWER_ACTION
        count += 1
    while cards:
        out[count] = PLAY + lowest(cards)
        cards &= cards - 1
        count += 1
    while spells:
        first = AIM + AIMS * lowest(spells)
        spells &= spells - 1
        for target in range(enemies + 1):
            out[count] = first + target
            count += 1
        if game.quirks:
            out[count] = first + OWN
            count += 1
    while ready:
        first = STRIKE + TARGETS * lowest(ready)
        ready &= ready - 1
        for target in range(enemies + 1):
            out[count] = first + target
            count += 1
    return count


def pick(game, state, out, rng):
    power, cards, spells, ready, enemies = _choices(state)
    simple = 1 + power
    played = simple + popcount(cards)
    width = enemies + 1 + game.quirks
    aimed = played + popcount(spells) * width
    count = aimed + popcount(ready) * (enemies + 1)
    # One choice takes no random number: many a turn has nothing but its end.
    rank = below(rng, count) if count > 1 else 0
    if rank < simple:
        return END if rank == 0 else POWER_ACTION
    if rank < played:
        return PLAY + kth(cards, rank - simple)
    if rank < aimed:
        spell, target = (rank - played) // width, (rank - played) % width
        return AIM + AIMS * kth(spells, spell) + (OWN if target > enemies else target)
    number, target = (rank - aimed) // (enemies + 1), (rank - aimed) % (enemies + 1)
    return STRIKE + TARGETS * kth(ready, number) + target
