"""Love Letter as numbers for learners: float32[35 * players + 69], all from 0 to 1.

By player, the one who looks first, then in the order of turns: alive, protected, a Spy played,
tokens (parts of the most that there can be, one more than win), whether the turn is theirs; the
card known in the hand by character (of one's own hand all cards, as parts of 3); a second card that
is known; the cards played or discarded by character, parts of its copies. Then the cards face up
and those not seen, as parts of the copies; the deck (parts of 21); the cards that Chancellors put
back as far as they are known, 4 places of a number a character; the phase, 6 numbers; whether the
player is to act; the round (parts of 20).
"""

from joute.core.arrays import index
from joute.core.interface import implements, mover
from joute.games.love_letter.state import (
    ALIVE,
    BOTTOM,
    BOTTOM_COUNT,
    BOTTOM_KNOWN,
    CARDS,
    CLASSIC_COPIES,
    COPIES,
    CURRENT,
    FACE_UP,
    HANDS,
    KNOWN,
    LOG,
    LOG_CARD,
    LOG_HOW,
    LOGGED,
    NONE,
    PHASE,
    PHASES,
    PROTECTED,
    RANDOM,
    ROUND,
    SECOND,
    SECOND_KNOWN,
    SPIES,
    THIRD,
    TOKENS,
    LoveLetter,
)

PLAYER = 5 + 3 * CARDS  # numbers of one
REST = 2 * CARDS + 1 + 4 * CARDS + len(PHASES) + 2
HELD = 3  # cards in a hand at most, when a Chancellor is played
DECK = 21.0
LONG = 20.0  # rounds


@implements(LoveLetter)
def features_shape(game: LoveLetter) -> tuple[int, ...]:
    return (PLAYER * game.players + REST,)


@implements(LoveLetter)
def features(game, state, player, out):
    current, rest = int(state[CURRENT]), PLAYER * game.players
    face_up, unseen = rest, rest + CARDS
    for card in range(CARDS):
        copies = CLASSIC_COPIES[card] if game.classic else COPIES[card]
        out[index(unseen + card)] = float(copies)
    for turn in range(game.players):
        other = (player + turn) % game.players
        at = PLAYER * turn
        out[index(at)] = float(int(state[ALIVE]) >> other & 1)
        out[index(at + 1)] = (
            1.0 if int(state[PROTECTED]) & int(state[ALIVE]) & 1 << other != 0 else 0.0
        )
        out[index(at + 2)] = float(int(state[SPIES]) >> other & 1)
        out[index(at + 3)] = float(state[index(TOKENS + other)]) / (game.tokens + 1)
        out[index(at + 4)] = 1.0 if other == current else 0.0
        card = int(state[index(HANDS + other)])
        if card != NONE and (turn == 0 or int(state[index(KNOWN + other)]) >> player & 1):
            out[index(at + 5 + card)] += 1.0 / HELD if turn == 0 else 1.0
            out[index(unseen + card)] -= 1.0
        if other == current:
            card = int(state[SECOND])
            if card != NONE and turn == 0:
                out[index(at + 5 + card)] += 1.0 / HELD
                out[index(unseen + card)] -= 1.0
            elif card != NONE and int(state[SECOND_KNOWN]) >> player & 1:
                out[index(at + 5 + CARDS + card)] = 1.0
                out[index(unseen + card)] -= 1.0
            card = int(state[THIRD])
            if card != NONE and turn == 0:
                out[index(at + 5 + card)] += 1.0 / HELD
                out[index(unseen + card)] -= 1.0
    for number in range(int(state[LOGGED])):
        entry = int(state[index(LOG + number)])
        owner, card = entry % LOG_CARD, entry // LOG_CARD % (LOG_HOW // LOG_CARD)
        turn = (owner - player) % game.players
        copies = CLASSIC_COPIES[card] if game.classic else COPIES[card]
        out[index(PLAYER * turn + 5 + 2 * CARDS + card)] += 1.0 / copies
        out[index(unseen + card)] -= 1.0
    for place in range(3):
        card = int(state[index(FACE_UP + place)])
        if card != NONE:
            copies = CLASSIC_COPIES[card] if game.classic else COPIES[card]
            out[index(face_up + card)] += 1.0 / copies
            out[index(unseen + card)] -= 1.0
    bottom = unseen + CARDS + 1
    out[index(bottom - 1)] = (float(state[RANDOM]) + float(state[BOTTOM_COUNT])) / DECK
    for place in range(int(state[BOTTOM_COUNT])):
        if int(state[index(BOTTOM_KNOWN + place)]) >> player & 1:
            card = int(state[index(BOTTOM + place)])
            out[index(bottom + CARDS * place + card)] = 1.0
            out[index(unseen + card)] -= 1.0
    for card in range(CARDS):
        copies = CLASSIC_COPIES[card] if game.classic else COPIES[card]
        out[index(unseen + card)] = out[index(unseen + card)] / max(copies, 1)
    last = bottom + 4 * CARDS
    out[index(last + int(state[PHASE]))] = 1.0
    out[index(last + len(PHASES))] = 1.0 if mover(game, state) == player else 0.0
    out[index(last + len(PHASES) + 1)] = min(float(state[ROUND]) / LONG, 1.0)
