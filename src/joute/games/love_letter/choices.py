"""What a player of Love Letter may do: the legal actions, ascending, listed or counted."""

from joute.core.arrays import index, lowest, popcount
from joute.core.interface import inline
from joute.core.random import below
from joute.games.love_letter.state import (
    BARON,
    CHOICE,
    CHOOSING,
    COUNTESS,
    CURRENT,
    GUARD,
    HANDS,
    KING,
    NOBODY,
    NONE,
    PHASE,
    PLAYED,
    PRIEST,
    PRINCE,
    SECOND,
    SINGLE,
    THIRD,
    ninth,
    targets,
)

GUESSES = 9  # characters that a Guard may name
AIMED = 1 << GUARD | 1 << PRIEST | 1 << BARON | 1 << KING  # cards that choose another player
FORCING = 1 << PRINCE | 1 << KING  # cards beside which the Countess must be played


def legal(game, state, out):
    if state[PHASE] == CHOOSING:
        return _list_choices(state, out)
    low, high = _playable(state)
    count = _list_card(state, low, out, 0)
    if high != low:
        count = _list_card(state, high, out, count)
    return count


def pick(game, state, out, rng):
    """As from `legal`, without listing the Guards."""
    if state[PHASE] == CHOOSING:
        return int(out[below(rng, _list_choices(state, out))])
    low, high = _playable(state)
    others = targets(state)
    number = popcount(others)
    first = _count(low, number)
    rank = below(rng, first + _count(high, number) if high != low else first)
    if rank >= first:
        rank -= first
        low = high
    return _numbered(state, low, others, number, rank)


def fault_action(game, state, player):
    """The first of `legal`: the lowest card, on the first target."""
    if state[PHASE] == CHOOSING:
        return _first_choice(state)
    low, _ = _playable(state)
    others = targets(state)
    return _numbered(state, low, others, int(others > 0), 0)


@inline
def _playable(state):
    """The two cards that may be played, the lower first: twice the same if there is one."""
    low, high = int(state[index(HANDS + int(state[CURRENT]))]), int(state[SECOND])
    if low > high:
        low, high = high, low
    if high == COUNTESS and 1 << low & FORCING:
        low = COUNTESS
    return low, high


@inline
def _count(card, number):
    """How many ways there are to play a card with so many others to choose from."""
    if card == GUARD:
        return max(GUESSES * number, 1)
    if card == PRINCE:
        return number + 1
    if 1 << card & AIMED:
        return max(number, 1)
    return 1


@inline
def _numbered(state, card, others, number, rank):
    """The way to play a card that has `rank` ways before it in `legal`."""
    guess = 0
    if card == PRINCE:
        others |= 1 << int(state[CURRENT])
    elif number == 0 or not 1 << card & AIMED:
        return card * PLAYED + NOBODY
    elif card == GUARD:
        way = rank
        rank = ninth(way)
        guess = way - GUESSES * rank
        guess += guess >= GUARD
    while rank > 0:
        others &= others - 1
        rank -= 1
    return card * PLAYED + lowest(others) * 10 + guess


@inline
def _list_card(state, card, out, count):
    """Write the ways to play a card from place `count` on; the place after them."""
    others = targets(state)
    if card == PRINCE:
        others |= 1 << int(state[CURRENT])
    elif others == 0 or not 1 << card & AIMED:
        out[index(count)] = card * PLAYED + NOBODY
        return count + 1
    target = 0
    while others >> target:
        if others >> target & 1:
            action = card * PLAYED + target * 10
            out[index(count)] = action
            count += 1
            if card == GUARD:
                for guess in range(PRIEST, PRIEST + GUESSES - 1):
                    out[index(count)] = action + guess
                    count += 1
        target += 1
    return count


@inline
def _sorted(state):
    """The Chancellor's three cards, ascending; NONE first where there are two."""
    low, middle = int(state[index(HANDS + int(state[CURRENT]))]), int(state[SECOND])
    high = int(state[THIRD])
    if low > middle:
        low, middle = middle, low
    if middle > high:
        middle, high = high, middle
    if low > middle:
        low, middle = middle, low
    return low, middle, high


@inline
def _first_choice(state):
    low, middle, high = _sorted(state)
    if low == NONE:
        return SINGLE + middle * 10 + high
    return CHOICE + low * 100 + middle * 10 + high


@inline
def _list_choices(state, out):
    """Write what may be kept and put back, each once; return how many."""
    low, middle, high = _sorted(state)
    out[0] = _first_choice(state)
    count = 1
    if low == NONE:
        if middle != high:
            out[1] = SINGLE + high * 10 + middle
            count = 2
        return count
    if middle != high:
        out[1] = CHOICE + low * 100 + high * 10 + middle
        count = 2
    if low != middle:
        count = _also(out, count, middle, low, high)
        count = _also(out, count, middle, high, low)
    if middle != high:
        count = _also(out, count, high, low, middle)
        if low != middle:
            count = _also(out, count, high, middle, low)
    return count


@inline
def _also(out, count, keep, first, second):
    out[index(count)] = CHOICE + keep * 100 + first * 10 + second
    return count + 1
