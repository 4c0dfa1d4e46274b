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
from joute.core.interface import CHANCE, OVER, Properties, implements, inline
from joute.games.paradise import features as _features  # noqa: F401 - implements them
from joute.games.paradise import objection as _objection  # noqa: F401 - implements it
from joute.games.paradise import text  # noqa: F401 - registers what bots and people read
from joute.games.paradise.state import (
    ACTED,
    ACTIONS,
    AIM,
    AIMS,
    BASE,
    BLOCKS,
    BOARD_SIZE,
    CARDS,
    CHOOSING,
    COBRA,
    COST,
    CUB,
    DEAD,
    DEADLY_SHOT,
    DECK,
    DECK_SIZE,
    DESTROYED,
    DRAWING,
    END,
    ENDED,
    FATIGUE,
    FIELDS,
    FIREBALL,
    HAND,
    HAND_SIZE,
    HERO,
    HIGHMANE,
    HOUND,
    HYENA,
    KILL_COMMAND,
    LEFT,
    LIFE,
    MANA,
    MAX_LIFE,
    MAX_MANA,
    MOST_BOARD,
    MOST_HAND,
    MOST_MANA,
    OWN,
    PHASE,
    PLAY,
    PLAYER,
    POWER_ACTION,
    POWER_COST,
    POWER_DAMAGE,
    POWER_USED,
    SHOOTING,
    STRIKE,
    TARGETS,
    TURN,
    TURNS,
    UNLEASH,
    USED,
    VICTIM,
    Paradise,
    attack,
    block,
    drawer,
    minion,
    summon,
)

# Each player: 25 cards drawn, as many played and one shot, and in 29 turns the end, the power and
# seven attacks, and one more attack for each of the 30 minions that there can ever be.
MOST_PLIES = 2 * (25 + 25 + 1 + 29 * (1 + 1 + MOST_BOARD) + 30)
DRAWN = 2 * (25 + 1)  # of these, by chance


def make(*, quirks: Any = False) -> Paradise:
    """The game; `quirks`: a spell may be shot at one's own hero, and after a kill the next turn
    still begins, as in the original. Raises GameError.
    """
    truth("paradise", "quirks", quirks)
    return Paradise(quirks)


@implements(Paradise)
def properties(game: Paradise) -> Properties:
    spells = 5  # of a deck's, those with a target
    return Properties(
        name="paradise",
        players=2,
        simultaneous=False,
        chance=True,
        hidden_information=True,
        zero_sum=True,
        max_actions=ACTIONS,
        max_legal=2 + MOST_HAND - spells + spells * AIMS + MOST_BOARD * (MOST_BOARD + 1),
        max_outcomes=CARDS,
        max_plies=MOST_PLIES,
        lowest_return=-1.0,
        highest_return=1.0,
        version=1,
    )


@implements(Paradise)
def max_answers(game: Paradise) -> int:
    return MOST_PLIES - DRAWN  # bots answer one action at a time


@implements(Paradise)
def stream(game: Paradise, state: Any) -> str:
    return "shots" if state[PHASE] == SHOOTING else f"deck {drawer(state)}"


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
    """Notes which heroes are dead."""
    first, second = int(state[BLOCKS + HERO]), int(state[index(block(1) + HERO)])
    state[DEAD] = (first <= 0) | (second <= 0) << 1


@inline
def _begin(state, player):
    """Begins a player's turn; a card is drawn by chance, unless the deck is empty."""
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
    """Moves a card from the deck into the hand, or destroys it if that is full."""
    state[index(own + DECK + card)] -= 1
    state[index(own + DECK_SIZE)] -= 1
    size = int(state[index(own + HAND_SIZE)])
    if size < MOST_HAND:
        state[index(own + HAND + size)] = card
        state[index(own + HAND_SIZE)] = size + 1
    else:
        state[index(own + DESTROYED + card)] += 1


@inline
def act(state, player, action):
    """Applies an action of the player whose turn it is; returns whether minions were hurt."""
    own, other = block(player), block(1 - player)
    state[ACTED] += 1
    if action >= STRIKE:
        return _strike(state, own, (action - STRIKE) // TARGETS, other, (action - STRIKE) % TARGETS)
    if action == POWER_ACTION:
        state[index(own + MANA)] -= POWER_COST
        state[index(own + POWER_USED)] = 1
        state[index(other + HERO)] -= POWER_DAMAGE
    if action < PLAY:
        return False
    aimed = action >= AIM
    card = _pay(state, own, (action - AIM) // AIMS if aimed else action - PLAY)
    if aimed:
        return _shoot(state, own, card, other, (action - AIM) % AIMS)
    if card == DEADLY_SHOT:
        state[PHASE] = SHOOTING
        return False
    times = 1
    if card == UNLEASH:
        card, times = HOUND, int(state[index(other + BOARD_SIZE)])
    for _ in range(times):
        summon(state, own, card)
    return False


@inline
def _strike(state, own, number, other, target):
    """Attacks the hero (0) or a minion, both blows at once; returns whether it was a minion."""
    mine = minion(own, number)
    given = attack(state, own, number)
    state[index(mine + USED)] = 1
    if target == 0:
        state[index(other + HERO)] -= given
        return False
    theirs = minion(other, target - 1)
    taken = attack(state, other, target - 1)
    _hurt(state, theirs, given, int(state[index(mine)]) == COBRA)
    _hurt(state, mine, taken, int(state[index(theirs)]) == COBRA)
    return True


@inline
def _shoot(state, own, card, other, target):
    """Aims a spell at a target; returns whether that is a minion."""
    damage = 2
    if card == FIREBALL:
        damage = 6
    elif card == KILL_COMMAND:
        damage = 5 if state[index(own + BOARD_SIZE)] > 0 else 3
    if target == OWN:
        state[index(own + HERO)] -= damage
    elif target == 0:
        state[index(other + HERO)] -= damage
    else:
        state[index(minion(other, target - 1) + LIFE)] -= damage
    return 0 < target < OWN


@inline
def _pay(state, own, place):
    """Takes a card out of the hand for its mana; returns which it is."""
    card = int(state[index(own + HAND + place)])
    state[index(own + MANA)] -= int(COST[index(card)])
    last = int(state[index(own + HAND_SIZE)]) - 1
    state[index(own + HAND_SIZE)] = last
    for number in range(place, last):
        state[index(own + HAND + number)] = state[index(own + HAND + number + 1)]
    state[index(own + HAND + last)] = 0
    return card


@inline
def _hurt(state, place, damage, poison):
    left = int(state[index(place + LIFE)]) - damage
    state[index(place + LIFE)] = min(left, 0) if poison else left


@inline
def bury(state, first):
    """Removes the dead from a board together; Hyenas feed on them, and Highmanes leave cubs."""
    size = int(state[index(first + BOARD_SIZE)])
    left, highmanes = 0, 0
    for number in range(size):
        place = minion(first, number)
        if int(state[index(place + LIFE)]) <= 0:
            highmanes += int(state[index(place)]) == HIGHMANE
            continue
        if left < number:
            for field in range(FIELDS):
                state[index(minion(first, left) + field)] = state[index(place + field)]
        left += 1
    dead = size - left
    if dead == 0:
        return
    for place in range(minion(first, left), minion(first, size)):
        state[index(place)] = 0
    state[index(first + BOARD_SIZE)] = left
    for number in range(left):
        place = minion(first, number)
        if int(state[index(place)]) == HYENA:
            state[index(place + BASE)] += 2 * dead
            state[index(place + LIFE)] += dead
            state[index(place + MAX_LIFE)] += dead
    for _ in range(2 * highmanes):
        summon(state, first, CUB)


@implements(Paradise)
@inline
def points(game, state, player):
    return max(int(state[index(block(player) + HERO)]), 0)


@implements(Paradise)
def returns(game, state, out):
    # Both heroes are dead only where `quirks` let a turn begin after a kill: nobody has won.
    dead = int(state[DEAD])
    out[0] = float((dead == 2) - (dead == 1))
    out[1] = float((dead == 1) - (dead == 2))


@implements(Paradise)
def pending(game, state):
    return int(state[ACTED])


@implements(Paradise)
def fault_action(game, state, player):
    return END
