"""What an action does in Paradise: cards are paid and played, minions fight, the dead leave."""

from joute.core.arrays import index
from joute.core.interface import inline
from joute.games.paradise.cards import (
    COBRA,
    COST,
    CUB,
    DEADLY_SHOT,
    FIREBALL,
    HIGHMANE,
    HOUND,
    HYENA,
    KILL_COMMAND,
    UNLEASH,
)
from joute.games.paradise.state import (
    ACTED,
    AIM,
    AIMS,
    BASE,
    BOARD_SIZE,
    FIELDS,
    HAND,
    HAND_SIZE,
    HERO,
    LIFE,
    MANA,
    MAX_LIFE,
    OWN,
    PHASE,
    PLAY,
    POWER_ACTION,
    POWER_COST,
    POWER_DAMAGE,
    POWER_USED,
    SHOOTING,
    STRIKE,
    TARGETS,
    USED,
    attack,
    block,
    minion,
    summon,
)


@inline
def act(state, player, action):
    """One action of the player whose turn it is; whether minions were hurt."""
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
    """A minion attacks the hero (0) or a minion, both blows at once; whether it was a minion."""
    mine = minion(own, number)
    given = attack(state, own, number)
    state[index(mine + USED)] = 1
    if target == 0:
        state[index(other + HERO)] -= given
        return False
    his = minion(other, target - 1)
    taken = attack(state, other, target - 1)
    _hurt(state, his, given, int(state[index(mine)]) == COBRA)
    _hurt(state, mine, taken, int(state[index(his)]) == COBRA)
    return True


@inline
def _shoot(state, own, card, other, target):
    """A spell at a target; whether that is a minion."""
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
    """Take a card out of the hand for its mana; which it is."""
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
    """The dead leave a board together; then Hyenas feed on them, and Highmanes leave their cubs."""
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
