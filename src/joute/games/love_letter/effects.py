"""What a card of Love Letter does when it is played."""

from joute.core.arrays import index
from joute.core.interface import inline
from joute.games.love_letter.state import (
    ALIVE,
    BARON,
    BOTTOM,
    BOTTOM_COUNT,
    BOTTOM_KNOWN,
    CARD_SHIFT,
    CHANCELLOR,
    CHOICE,
    CURRENT,
    DRAWING,
    DUE,
    FOR_CHANCELLOR,
    FOR_HAND,
    GUARD,
    HANDMAID,
    HANDS,
    KNOWN,
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
    RANDOM,
    REASON,
    RECEIVER,
    SECOND,
    SECOND_KNOWN,
    SINGLE,
    SPIES,
    SPY,
    THIRD,
    tenth,
)


@inline
def play_card(state, action):
    """Apply the card played; what is due after it stands in REASON and DUE."""
    player = int(state[CURRENT])
    bit = 1 << player
    card = action >> CARD_SHIFT
    how = action & (PLAYED - 1)
    _leave_hand(state, player, card)
    _note(state, player + LOG_CARD * card + LOG_HOW * (1 + how))
    state[REASON] = FOR_HAND
    state[PHASE] = DRAWING
    target = tenth(how)
    guess = how - 10 * target
    if card == SPY:
        state[SPIES] |= bit
    elif card == HANDMAID:
        state[PROTECTED] |= bit
    elif card == CHANCELLOR:
        cards = int(state[RANDOM]) + int(state[BOTTOM_COUNT])
        if cards > 0:
            state[REASON] = FOR_CHANCELLOR
            state[DUE] = min(cards, 2)
            state[index(KNOWN + player)] = bit
    elif card == PRINCESS:
        _put_out(state, player)
    elif how < NOBODY:
        _apply(state, card, player, target, guess)


@inline
def _leave_hand(state, player, card):
    """Take the card played from the two held; who knew the other one knows it still.

    Who knows one of two equal cards cannot tell which of them is played.
    """
    held, drawn = int(state[index(HANDS + player)]), int(state[SECOND])
    known, drawn_known = int(state[index(KNOWN + player)]), int(state[SECOND_KNOWN])
    if held == card:
        state[index(HANDS + player)] = drawn
        known = known & drawn_known if drawn == card else drawn_known
    state[index(KNOWN + player)] = known
    state[SECOND] = NONE
    state[SECOND_KNOWN] = 0


@inline
def _apply(state, card, player, target, guess):
    """The effect of a Guard, Priest, Baron, Prince or King on its target."""
    bit = 1 << player
    mine, his = int(state[index(HANDS + player)]), int(state[index(HANDS + target)])
    loser = NONE
    if card == GUARD:
        if his == guess:
            loser = target
    elif card == PRIEST:
        state[index(KNOWN + target)] |= bit
    elif card == BARON:
        if mine == his:
            state[index(KNOWN + target)] |= bit
            state[index(KNOWN + player)] |= 1 << target
        else:
            loser = target if his < mine else player
    elif card == PRINCE:
        if his == PRINCESS:
            loser = target
        else:
            _note(state, target + LOG_CARD * his)
            if his == SPY:
                state[SPIES] |= 1 << target
            state[index(HANDS + target)] = NONE
            state[index(KNOWN + target)] = 0
            state[RECEIVER] = target
            state[DUE] = 1
    else:
        known = int(state[index(KNOWN + player)]) | 1 << target
        state[index(HANDS + player)] = his
        state[index(HANDS + target)] = mine
        state[index(KNOWN + player)] = int(state[index(KNOWN + target)]) | bit
        state[index(KNOWN + target)] = known
    if loser != NONE:
        _put_out(state, loser)


@inline
def _put_out(state, player):
    """Discard the hand without effect; the player's Spies no longer matter."""
    _note(state, player + LOG_CARD * int(state[index(HANDS + player)]))
    state[index(HANDS + player)] = NONE
    state[index(KNOWN + player)] = 0
    state[ALIVE] &= ~(1 << player)
    state[SPIES] &= ~(1 << player)


@inline
def _note(state, entry):
    state[index(LOG + int(state[LOGGED]))] = entry
    state[LOGGED] += 1


@inline
def choose(state, action):
    """Keep one of the Chancellor's cards; the rest go below the deck."""
    player = int(state[CURRENT])
    place = int(state[BOTTOM_COUNT])
    if action >= SINGLE:
        keep, first = (action - SINGLE) // 10, (action - SINGLE) % 10
    else:
        keep, first = (action - CHOICE) // 100, (action - CHOICE) // 10 % 10
        state[index(BOTTOM + place + 1)] = (action - CHOICE) % 10
        state[index(BOTTOM_KNOWN + place + 1)] = 1 << player
        state[BOTTOM_COUNT] += 1
    state[index(BOTTOM + place)] = first
    state[index(BOTTOM_KNOWN + place)] = 1 << player
    state[BOTTOM_COUNT] += 1
    state[index(HANDS + player)] = keep
    state[index(KNOWN + player)] = 1 << player
    state[SECOND] = state[THIRD] = NONE
    state[REASON] = FOR_HAND
    state[PHASE] = DRAWING
