"""The state of Love Letter, where everything stands in it, and the actions that are legal in it.

State:  int16[SIZE]. First numbers: the phase, the player whose turn it is (or who starts), how many
        cards of the deck nobody has ordered, how many a Chancellor has put below them, cards due
        and why and to whom, sets of players as bits (alive, protected, with a Spy played, winners),
        the cards held beyond one and who knows the first of them, whether the card set aside is
        gone, the Spy bonus, cards in the log, rounds. Then by character: copies in the deck and set
        aside, without those at the bottom; the bottom cards, next drawn first, and who knows each;
        by player: the card held (NONE: none), who knows it (bits), tokens; the cards face up; the
        log of all cards played or discarded.
Action: a card played is card * PLAYED + target * 10 + guess, or card * PLAYED + NOBODY without a
        target. The Chancellor's choice is CHOICE + keep * 100 + first * 10 + second, or SINGLE +
        keep * 10 + first where one card goes back; `first` will be drawn first.
Chance: a card, or the player who starts.

Cards are their values. The deck has no order before it is drawn: each draw is an outcome of chance.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import index, lowest, popcount
from joute.core.interface import implements, inline
from joute.core.random import below

SPY, GUARD, PRIEST, BARON, HANDMAID, PRINCE, CHANCELLOR, KING, COUNTESS, PRINCESS = range(10)
CARDS = 10
NAMES = (
    "spy", "guard", "priest", "baron", "handmaid", "prince", "chancellor", "king", "countess",
    "princess",
)  # fmt: skip
COPIES = (2, 6, 2, 2, 2, 2, 2, 1, 1, 1)
CLASSIC_COPIES = (0, 5, 2, 2, 2, 2, 0, 1, 1, 1)
OFFICIAL_TOKENS = {2: 6, 3: 5, 4: 4, 5: 3, 6: 3}  # by players
MOST_PLAYERS, MOST_CLASSIC = 6, 4
NONE = -1  # no card
GUESSES = CARDS - 1  # characters that a Guard may name
AIMED = 1 << GUARD | 1 << PRIEST | 1 << BARON | 1 << KING  # cards that choose another player
FORCING = 1 << PRINCE | 1 << KING  # cards beside which the Countess must be played

PHASE, CURRENT, RANDOM, BOTTOM_COUNT, DUE, REASON, RECEIVER = range(7)  # places in the state
ALIVE, PROTECTED, SPIES, WINNERS = 7, 8, 9, 10
SECOND, THIRD, SECOND_KNOWN = 11, 12, 13
ASIDE_GONE, BONUS, LOGGED, ROUND = 14, 15, 16, 17  # BONUS is a player + 1
POOL = 18
BOTTOM = POOL + CARDS
BOTTOM_KNOWN = BOTTOM + 4
HANDS = BOTTOM_KNOWN + 4
KNOWN = HANDS + MOST_PLAYERS
TOKENS = KNOWN + MOST_PLAYERS
FACE_UP = TOKENS + MOST_PLAYERS
LOG = FACE_UP + 3
SIZE = LOG + sum(COPIES)

STARTING, DEALING, DRAWING, PLAYING, CHOOSING, ENDED = range(6)  # phases
PHASES = ("start", "deal", "draw", "play", "chancellor", "over")
FOR_TURN, FOR_CHANCELLOR = 0, 1  # why cards are due
FOR_HAND = 2  # a card or none, straight to the hand of RECEIVER; then the turn ends

CARD_SHIFT = 6
PLAYED = 1 << CARD_SHIFT
NOBODY = 60
CHOICE = CARDS * PLAYED
SINGLE = CHOICE + 1000
ACTIONS = SINGLE + 100

# An entry of the log is owner + LOG_CARD * card + LOG_HOW * how; how is 0 for a card discarded,
# else 1 + target * 10 + guess, or 1 + NOBODY.
LOG_CARD, LOG_HOW = 8, 128


class LoveLetter(NamedTuple):
    """The parameters of a table."""

    players: int = 2
    tokens: int = 1  # to win; 1: a single round
    classic: bool = False  # the deck of 16 cards, else that of 21


class Entry(NamedTuple):
    """A card face up."""

    player: int  # whose it was
    card: int
    played: bool  # else discarded
    target: int | None
    guess: int | None


@implements(LoveLetter)
def start(game: LoveLetter) -> np.ndarray:
    state = np.zeros(SIZE, np.int16)
    lay_out(game, state)
    return state


@inline
def lay_out(game, state):
    """Puts all cards back and deals none yet; tokens, phase, starter and rounds stay."""
    for place in range(RANDOM, ROUND):
        state[index(place)] = 0
    for place in range(BOTTOM, TOKENS):
        state[index(place)] = 0
    for place in range(FACE_UP, SIZE):
        state[index(place)] = 0
    cards = 0
    for card in range(CARDS):
        copies = CLASSIC_COPIES[card] if game.classic else COPIES[card]
        state[index(POOL + card)] = copies
        cards += copies
    state[RANDOM] = cards - 1
    state[DUE] = game.players + (3 if game.players == 2 else 0)
    state[ALIVE] = (1 << game.players) - 1
    for player in range(MOST_PLAYERS):
        state[index(HANDS + player)] = NONE
    for place in range(FACE_UP, FACE_UP + 3):
        state[index(place)] = NONE
    state[SECOND] = state[THIRD] = NONE


@inline
def tenth(number):
    """A tenth, rounded down, without the steps by which compiled division minds negative numbers.

    205 * 10 is 2^11 + 2, so this is exact below 2^10.
    """
    return number * 205 >> 11


@inline
def ninth(number):
    """A ninth, rounded down, likewise: 57 * 9 is 2^9 + 1, so this is exact below 2^9."""
    return number * 57 >> 9


@inline
def card_kept(action: int) -> int:
    """The card that a Chancellor's choice keeps."""
    return (action - SINGLE) // 10 if action >= SINGLE else (action - CHOICE) // 100


@inline
def targets(state: Any) -> int:
    """The other players that the one to move may choose, as bits."""
    return int(state[ALIVE]) & ~int(state[PROTECTED]) & ~(1 << int(state[CURRENT]))


@inline
def from_bottom(state):
    """Whether the next card drawn is one that a Chancellor put at the bottom."""
    return state[RANDOM] == 0 and state[BOTTOM_COUNT] > 0


@inline
def draws(state):
    """The player who receives the card that is drawn next."""
    return int(state[RECEIVER] if state[REASON] == FOR_HAND else state[CURRENT])


def hand(state: Any, player: int) -> list[int]:
    """The cards that a player holds, the one held longest first."""
    held = [int(state[HANDS + player])]
    if player == state[CURRENT]:
        held += [int(state[SECOND]), int(state[THIRD])]
    return [card for card in held if card != NONE]


def members(bits: int) -> list[int]:
    """The players of a set."""
    return [player for player in range(MOST_PLAYERS) if bits >> player & 1]


def log(state: Any) -> list[Entry]:
    """All cards face up but those of the setup, in order."""
    entries = []
    for entry in state[LOG : LOG + int(state[LOGGED])]:
        rest, player = divmod(int(entry), LOG_CARD)
        how, card = divmod(rest, LOG_HOW // LOG_CARD)
        target, guess = divmod(how - 1, 10)
        aimed = 0 <= how - 1 < NOBODY
        named = guess if aimed and card == GUARD else None
        entries.append(Entry(player, card, how > 0, target if aimed else None, named))
    return entries


# Legal actions, ascending.


@implements(LoveLetter)
def legal(game, state, out):
    if state[PHASE] == CHOOSING:
        return _list_choices(state, out)
    low, high = _playable(state)
    count = _list_card(state, low, out, 0)
    if high != low:
        count = _list_card(state, high, out, count)
    return count


@implements(LoveLetter)
def pick(game, state, out, rng):
    """The same as by `legal`, without listing what Guards may name."""
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


@implements(LoveLetter)
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
    """The number of ways to play a card with so many others to choose from."""
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
    """Writes the ways to play a card from place `count` on; returns the place after them."""
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
    """Writes what may be kept and put back, each once; returns how many."""
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
