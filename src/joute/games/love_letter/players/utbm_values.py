"""The values of cards of Love Letter to the player of a student project, and how it plays each.

Two players. Cards that a player has not seen: all but those face up, their own hand and whatever
has been played or discarded; what a Priest has shown does not count as seen.

Source: "Love Letter, rapport de projet", IA41, UTBM; the figures are those of its program.
"""

from typing import Any

from joute.core.arrays import index
from joute.core.interface import inline
from joute.games.love_letter.state import (
    AIMED,
    ALIVE,
    BARON,
    CARDS,
    CHANCELLOR,
    CHOICE,
    CLASSIC_COPIES,
    COPIES,
    COUNTESS,
    CURRENT,
    ENDED,
    FACE_UP,
    GUARD,
    HANDMAID,
    HANDS,
    KING,
    LOG,
    LOG_CARD,
    LOG_HOW,
    LOGGED,
    NOBODY,
    NONE,
    PHASE,
    PLAYED,
    PRIEST,
    PRINCE,
    PRINCESS,
    PROTECTED,
    SECOND,
    SINGLE,
    SPIES,
    SPY,
    STARTING,
    THIRD,
    targets,
)

SPY_WEIGHT = 0.5  # until a Spy of one's own is face up
PRIEST_WEIGHT, HANDMAID_WEIGHT, PRINCE_WEIGHT, CHANCELLOR_WEIGHT = 0.15, 0.20, 0.15, 0.25
BARON_COST = 0.8
# Divided by the number of unseen cards: the fewer there are, the nearer is the showdown.
PRINCESS_SHARE, COUNTESS_SHARE, KING_SHARE, PRINCE_SHARE = 2.0, 1.75, 1.5, 1.0
PROTECTED_COST = 0.15  # for cards that an opponent under a Handmaid does not suffer
ALIVE_VALUE, ALIVE_SPY_VALUE, OUT_SPY_VALUE = 0.75, 1.5, 0.5  # of a round that is over; 0 if out
LIKELY = 0.2  # the probability of a character from which on a Guard is kept for it
DECIMALS = 5

TUNED = (
    "spy weight", "priest weight", "baron cost", "handmaid weight", "prince weight",
    "prince share", "chancellor weight", "king share", "countess share", "princess share",
    "protected cost", "alive value", "alive spy value", "out spy value", "likely",
)  # fmt: skip
"""The numbers above that were chosen by hand."""

LOW_BITS = LOG_HOW // LOG_CARD - 1  # the card, in an entry of the log without its owner


@inline
def count_unseen(game: Any, state: Any, viewer: int, unseen: Any) -> int:
    """Writes to `unseen` (int64[CARDS]) the copies not seen by a player; returns their sum."""
    total = 0
    for card in range(CARDS):
        copies = CLASSIC_COPIES[card] if game.classic else COPIES[card]
        unseen[card] = copies
        total += copies
    for place in range(FACE_UP, FACE_UP + 3):
        total -= _cross_out(unseen, int(state[index(place)]))
    total -= _cross_out(unseen, int(state[index(HANDS + viewer)]))
    if state[CURRENT] == viewer:
        total -= _cross_out(unseen, int(state[SECOND])) + _cross_out(unseen, int(state[THIRD]))
    for place in range(LOG, LOG + int(state[LOGGED])):
        total -= _cross_out(unseen, int(state[index(place)]) // LOG_CARD & LOW_BITS)
    return total


@inline
def _cross_out(unseen: Any, card: int) -> int:
    """Takes a card, if it is one, from those unseen; returns how many were taken."""
    if card == NONE:
        return 0
    unseen[index(card)] -= 1
    return 1


@inline
def spied(state: Any, player: int) -> bool:
    """Whether a player has played or discarded a Spy; the hand lost when put out does not
    count.

    The rules forget the Spies of a player who is out; their value at the end does not.
    """
    if state[ALIVE] >> player & 1:
        return (int(state[SPIES]) >> player & 1) == 1
    count, last = 0, 0
    for place in range(LOG, LOG + int(state[LOGGED])):
        entry = int(state[index(place)])
        if entry % LOG_CARD == player:
            last = int(entry // LOG_CARD & LOW_BITS == SPY)
            count += last
    return count > last


@inline
def weight(
    card: int, other: int, unseen: Any, total: int, has_spied: bool, protected: bool
) -> float:
    """The value of a card in a hand beside `other`; `total` cards are unseen."""
    cost = PROTECTED_COST if protected else 0.0
    value = 0.0
    if card == SPY:
        value = 0.0 if has_spied else SPY_WEIGHT
    elif card == GUARD:
        value = unseen[likeliest(unseen)] / total - cost
    elif card == PRIEST:
        value = PRIEST_WEIGHT - cost
    elif card == BARON:
        lower = 0
        for each in range(other):
            lower += unseen[each]
        value = lower / total - cost - BARON_COST
    elif card == HANDMAID:
        value = HANDMAID_WEIGHT
    elif card == PRINCE:
        value = PRINCE_WEIGHT + (PRINCE_SHARE / total if unseen[PRINCESS] > 0 else 0.0)
    elif card == CHANCELLOR:
        value = CHANCELLOR_WEIGHT
    elif card == KING:
        value = KING_SHARE / total - cost
    elif card == COUNTESS:
        value = COUNTESS_SHARE / total
    else:
        value = PRINCESS_SHARE / total
    return value


@inline
def worth(game: Any, state: Any, player: int, unseen: Any) -> float:
    """The value of the end of a turn for a player: the mean weight of the pairs they may get.

    No other hand is looked at. Where the round is over, all that counts is whether they are in, and
    their Spy, not who wins a showdown.
    """
    has_spied = spied(state, player)
    value = 0.0
    if state[PHASE] == ENDED or state[PHASE] == STARTING:
        if state[ALIVE] >> player & 1:
            value = ALIVE_SPY_VALUE if has_spied else ALIVE_VALUE
        elif has_spied:
            value = OUT_SPY_VALUE
        return value
    total = count_unseen(game, state, player, unseen)
    protected = (int(state[PROTECTED]) >> (1 - player) & 1) == 1
    held = int(state[index(HANDS + player)])
    for card in range(CARDS):
        if unseen[card] > 0:
            value += unseen[card] * (
                weight(held, card, unseen, total, has_spied, protected)
                + weight(card, held, unseen, total, has_spied, protected)
            )
    return round(value / (2 * total), DECIMALS)


@inline
def likeliest(unseen: Any) -> int:
    """The character other than Guard with most unseen copies; of several the lowest."""
    best = SPY
    for card in range(PRIEST, CARDS):
        if unseen[card] > unseen[best]:
            best = card
    return best


@inline
def way(game: Any, state: Any, card: int, unseen: Any) -> int:
    """The one way in which the mover plays a card: its target, and what a Guard names."""
    player = int(state[CURRENT])
    held, drawn = int(state[index(HANDS + player)]), int(state[SECOND])
    action = card * PLAYED + NOBODY
    if card == PRINCE:
        other = drawn if held == card else held
        action = card * PLAYED + 10 * _discarding(game, state, player, other, unseen)
    elif 1 << card & AIMED and targets(state) != 0:
        action = card * PLAYED + 10 * (1 - player)
        if card == GUARD:
            count_unseen(game, state, player, unseen)
            action += likeliest(unseen)
    return action


@inline
def _discarding(game: Any, state: Any, player: int, other: int, unseen: Any) -> int:
    """The player that the mover makes discard with a Prince, beside their other card."""
    opponent = 1 - player
    target = player
    if targets(state) == 0:
        return target
    if other in (HANDMAID, CHANCELLOR, PRINCESS):
        target = opponent
    elif other == SPY:
        target = player if spied(state, player) else opponent
    elif other == GUARD:
        total = count_unseen(game, state, player, unseen)
        for card in range(CARDS):
            if unseen[card] > LIKELY * total:
                target = opponent
    return target


@inline
def kept(game: Any, state: Any, unseen: Any) -> int:
    """The Chancellor's choice: the heaviest card is kept, the lightest will be drawn first.

    Weights are those of single cards: a Baron beats nothing. Of equal ones the higher card is kept.
    """
    player = int(state[CURRENT])
    total = count_unseen(game, state, player, unseen)
    has_spied = spied(state, player)
    protected = (int(state[PROTECTED]) >> (1 - player) & 1) == 1
    low, middle, high = int(state[index(HANDS + player)]), int(state[SECOND]), int(state[THIRD])
    for step in range(3):
        # Two exchanges of neighbours and the first one again sort three cards, NONE the lowest.
        left, right = (middle, high) if step == 1 else (low, middle)
        if right == NONE:
            swap = left != NONE
        elif left == NONE:
            swap = False
        else:
            first = weight(left, SPY, unseen, total, has_spied, protected)
            second = weight(right, SPY, unseen, total, has_spied, protected)
            swap = first > second or (first == second and left > right)
        if swap and step == 1:
            middle, high = high, middle
        elif swap:
            low, middle = middle, low
    if low == NONE:
        return SINGLE + high * 10 + middle
    return CHOICE + high * 100 + low * 10 + middle
