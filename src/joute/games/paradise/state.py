"""The cards of Paradise, its state, and the actions that are legal in it.

State:  int16[SIZE]. First the phase, whose turn it is, turns begun, the heroes that are dead (bit
        0 player 0, bit 1 player 1), cards still to be dealt, actions of this turn. Then a block
        for each player: the hero's health (below 0 when it was hit too hard), mana, maximum mana,
        fatigue, whether the power was used, the sizes of hand, deck and board; the cards of the
        hand, left to right; how many of each card are in the deck; how many of each were
        destroyed unseen; the minions, left to right, FIELDS numbers each.
Action: END, POWER, PLAY + i (the hand's card i, without target), AIM + AIMS * i + t (the hand's
        spell i at t), ATTACK + TARGETS * s + t (minion s at t); t is 0 for the hero, 1..7 for an
        enemy minion, OWN for the mover's own hero (`quirks` only). Outcomes: a card, or
        VICTIM + the enemy minion that Deadly Shot destroys.

Places past the size of a hand or a board are 0, so that equal positions are equal states. Cards are
0..15; 16 and 17 are the tokens, minions that no card in a hand becomes.
"""

from typing import NamedTuple

import numpy as np

from joute.core.arrays import index, kth, lowest, popcount
from joute.core.interface import implements, inline
from joute.core.random import below

MINION, SHOT, HOUNDS, AIMED = range(4)  # kinds of cards: what playing one needs

CARDS = 16  # that may be in a deck; the numbers above are tokens
DECK_CARDS = 25

COBRA = 1
DEADLY_SHOT = 2
ARCANE_SHOT = 3
RHINO = 5
WOLF = 7
FIREBALL = 9
HYENA = 11
KILL_COMMAND = 12
UNLEASH = 13
HIGHMANE = 14
ALPHA = 15
CUB = 16  # a token of the Highmane
HOUND = 17  # a token of Unleash the Hounds


class _Card(NamedTuple):
    """One card, or a token."""

    word: str  # as actions are written, at most 12 letters
    title: str
    copies: int  # in a deck
    cost: int
    attack: int
    health: int
    kind: int
    text: str


BOOK = (
    _Card("mole", "Dire Mole", 2, 1, 1, 3, MINION, ""),
    _Card("cobra", "Emperor Cobra", 2, 3, 2, 3, MINION, "poison: what it damages dies"),
    _Card("deadly shot", "Deadly Shot", 1, 3, 0, 0, SHOT, "destroys a random enemy minion"),
    _Card("arcane shot", "Arcane Shot", 2, 1, 0, 0, AIMED, "2 damage to an enemy"),
    _Card("hatchling", "Helpless Hatchling", 1, 1, 1, 1, MINION, ""),
    _Card("rhino", "Tundra Rhino", 1, 5, 2, 5, MINION, "own minions have charge"),
    _Card("snapjaw", "Oasis Snapjaw", 2, 4, 2, 7, MINION, ""),
    _Card("wolf", "Timber Wolf", 2, 1, 1, 1, MINION, "other own minions +1 attack"),
    _Card("raptor", "Bloodfen Raptor", 2, 2, 3, 2, MINION, ""),
    _Card("fireball", "Fireball", 1, 4, 0, 0, AIMED, "6 damage to an enemy"),
    _Card("ultrasaur", "Ultrasaur", 2, 10, 7, 14, MINION, ""),
    _Card("hyena", "Scavenging Hyena", 1, 2, 2, 2, MINION, "+2/+1 when an own minion dies"),
    _Card("kill command", "Kill Command", 1, 3, 0, 0, AIMED, "3 damage, 5 with an own minion"),
    _Card("hounds", "Unleash the Hounds", 1, 3, 0, 0, HOUNDS, "a 1/1 with charge per enemy minion"),
    _Card("highmane", "Savannah Highmane", 2, 6, 6, 5, MINION, "leaves two 2/2 when it dies"),
    _Card("alpha", "Dire Wolf Alpha", 2, 2, 2, 2, MINION, "its neighbours +1 attack"),
    _Card("cub", "Cub", 0, 2, 2, 2, MINION, ""),
    _Card("hound", "Hound", 0, 1, 1, 1, MINION, "charge"),
)  # fmt: skip

# The same as tables for kernels.
COPIES = np.array([card.copies for card in BOOK], np.int64)
COST = np.array([card.cost for card in BOOK], np.int64)
ATTACK = np.array([card.attack for card in BOOK], np.int64)
HEALTH = np.array([card.health for card in BOOK], np.int64)
KIND = np.array([card.kind for card in BOOK], np.int64)


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

CARD, BASE, LIFE, MAX_LIFE, TURNS, USED = range(6)  # of a minion: its card, ..., has it attacked
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
    """The place where a player's block begins."""
    return BLOCKS + BLOCK * player


@inline
def minion(first, number):
    """The place of minion `number`, from 0, of the block at `first`."""
    return first + BOARD + FIELDS * number


@inline
def unseen(state, owner, observer, card):
    """The copies of a card that its owner still has and an observer does not see.

    They are in the deck, were destroyed by a full hand, or are in the hand of another.
    """
    own = block(owner)
    count = int(state[index(own + DECK + card)]) + int(state[index(own + DESTROYED + card)])
    if owner != observer:
        for number in range(int(state[index(own + HAND_SIZE)])):
            count += int(state[index(own + HAND + number)] == card)
    return count


@inline
def drawer(state):
    """The player from whose deck the coming card is."""
    if state[PHASE] == DRAWING:
        return int(state[PLAYER])
    return 0 if state[LEFT] > DEALT[1] else 1


@inline
def bonus(state, first, number):
    """The attack that auras add to a minion's."""
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
    """Puts a minion at the right end of a board, if there is room."""
    size = int(state[index(first + BOARD_SIZE)])
    if size < MOST_BOARD:
        place = minion(first, size)
        state[index(place)] = card
        state[index(place + BASE)] = int(ATTACK[index(card)])
        state[index(place + LIFE)] = int(HEALTH[index(card)])
        state[index(place + MAX_LIFE)] = int(HEALTH[index(card)])
        state[index(first + BOARD_SIZE)] = size + 1


# Legal actions.


@inline
def _choices(state):
    """Whether the power can be used; the places of cards to play, of spells to aim and of minions
    that can attack, as bits; the number of enemy minions.
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


@implements(Paradise)
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


@implements(Paradise)
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
