"""Love Letter: one card in hand, one drawn, one played; whoever is left, or holds most, wins.

A round ends when one player is left or the deck is empty; then the highest card wins. With a Priest
one sees a hand, with a Guard one guesses it, with a Baron one compares: what each has seen stands
in the state, and nothing else of what he may conclude.

Source: the rulebook of 2019 (21 cards, 2 to 6 players); the deck of 16 cards is its own option.

The deal and every draw are outcomes of chance, the starter of a round too, and each round has
streams of its own: games with one seed have the same deck in the same round, whatever was played
before. The state is laid out in `love_letter_state`.
"""

from typing import Any

from joute.core.arrays import index
from joute.core.errors import GameError
from joute.core.interface import CHANCE, OVER, implements, inline
from joute.games.love_letter.choices import fault_action, legal, pick
from joute.games.love_letter.deck import chances, determinize, draw, take
from joute.games.love_letter.effects import choose, play_card
from joute.games.love_letter.state import (
    ALIVE,
    BONUS,
    BOTTOM_COUNT,
    CHOOSING,
    CURRENT,
    DEALING,
    DRAWING,
    DUE,
    ENDED,
    FACE_UP,
    FOR_CHANCELLOR,
    FOR_TURN,
    HANDS,
    KNOWN,
    MOST_CLASSIC,
    MOST_PLAYERS,
    OFFICIAL_TOKENS,
    PHASE,
    PLAYING,
    POOL,
    PROTECTED,
    RANDOM,
    REASON,
    ROUND,
    SPIES,
    STARTING,
    TOKENS,
    WINNERS,
    LoveLetter,
    lay_out,
)
from joute.games.love_letter.text import serve
from joute.i18n.words import AnyOf, Sentence

MOST_TOKENS = 20
DECKS = ("2019", "classic")


def make(*, players: Any = 2, tokens: Any = 1, deck: Any = "2019") -> LoveLetter:
    """Love Letter at a table.

    Args:
        players: 2 to 6; 2 to 4 with the classic deck.
        tokens: what wins the game; 1 is a single round, 0 or "official" what the rulebook says.
        deck: "2019" (21 cards) or "classic" (16).

    Raises GameError.
    """
    if deck not in DECKS:
        raise GameError(Sentence("error.love-letter.deck", known=AnyOf(DECKS), deck=deck))
    most = MOST_CLASSIC if deck == "classic" else MOST_PLAYERS
    if isinstance(players, bool) or not isinstance(players, int) or not 2 <= players <= most:
        found = {"most": most, "deck": deck, "players": players}
        raise GameError(Sentence("error.love-letter.players", **found))
    if tokens == "official":
        tokens = 0
    if isinstance(tokens, bool) or not isinstance(tokens, int) or not 0 <= tokens <= MOST_TOKENS:
        raise GameError(Sentence("error.love-letter.tokens", most=MOST_TOKENS, tokens=tokens))
    return LoveLetter(players, tokens or OFFICIAL_TOKENS[players], deck == "classic")


@implements(LoveLetter)
def mover(game, state):
    phase = int(state[PHASE])
    if phase == ENDED:
        return OVER
    return int(state[CURRENT]) if phase >= PLAYING else CHANCE


@implements(LoveLetter)
def play(game, state, action):
    phase = int(state[PHASE])
    if phase == PLAYING:
        play_card(state, action)
    elif phase == DRAWING:
        take(state, action)
    elif phase == CHOOSING:
        choose(state, action)
    elif phase == DEALING:
        _deal(game, state, action)
    else:
        _begin(game, state, action)
    if state[PHASE] == DRAWING and state[DUE] == 0:
        _go_on(game, state)


@inline
def _begin(game, state, starter):
    """A new round; the state of the first is laid out already."""
    if state[ROUND] > 0:
        lay_out(game, state)
    state[CURRENT] = starter
    state[ROUND] += 1
    state[PHASE] = DEALING


@inline
def _deal(game, state, card):
    """The face-up cards first, then a card to each player, then one is due for the first turn."""
    state[index(POOL + card)] -= 1
    state[RANDOM] -= 1
    state[DUE] -= 1
    due = int(state[DUE])
    if due >= game.players:
        state[index(FACE_UP + game.players + 2 - due)] = card
    else:
        player = game.players - 1 - due
        state[index(HANDS + player)] = card
        state[index(KNOWN + player)] = 1 << player
    if due == 0:
        state[PHASE] = DRAWING
        state[REASON] = FOR_TURN
        state[DUE] = 1


@inline
def _go_on(game, state):
    """What follows when no card is due: a choice, or the end of the turn."""
    reason = int(state[REASON])
    if reason == FOR_TURN:
        state[PHASE] = PLAYING
        return
    if reason == FOR_CHANCELLOR:
        state[PHASE] = CHOOSING
        return
    _end_turn(game, state)


@inline
def _end_turn(game, state):
    """The end of the round, or a card due for the next living player."""
    alive = int(state[ALIVE])
    if alive & (alive - 1) == 0 or state[RANDOM] + state[BOTTOM_COUNT] == 0:
        _end_round(game, state)
        return
    player = int(state[CURRENT])
    while True:
        player += 1
        if player == game.players:
            player = 0
        if alive >> player & 1:
            break
    state[CURRENT] = player
    state[PROTECTED] &= ~(1 << player)
    state[REASON] = FOR_TURN
    state[DUE] = 1


@inline
def _end_round(game, state):
    """Give the tokens; at a showdown the hands are open."""
    alive = int(state[ALIVE])
    winners = alive
    if alive & (alive - 1):
        best = 0
        for player in range(game.players):
            best = max(best, int(state[index(HANDS + player)]))
        winners = 0
        for player in range(game.players):
            if int(state[index(HANDS + player)]) == best:
                winners |= 1 << player
            if alive >> player & 1:
                state[index(KNOWN + player)] = (1 << game.players) - 1
    state[WINNERS] = winners
    spies = int(state[SPIES])
    one_spy = spies > 0 and spies & (spies - 1) == 0
    over = game.tokens == 1
    for player in range(game.players):
        bonus = one_spy and spies >> player == 1
        if bonus:
            state[BONUS] = player + 1
        tokens = int(state[index(TOKENS + player)]) + (winners >> player & 1) + bonus
        state[index(TOKENS + player)] = tokens
        over = over or tokens >= game.tokens
    state[PHASE] = ENDED if over else STARTING


@implements(LoveLetter)
@inline
def points(game, state, player):
    return int(state[index(TOKENS + player)])


@implements(LoveLetter)
def returns(game, state, out):
    """The winners share 1, less what they pay; the others pay equal parts of 1 between them."""
    winners = 0
    for player in range(game.players):
        out[player] = 0.0
        if game.tokens > 1:
            won = int(state[index(TOKENS + player)]) >= game.tokens
        else:
            won = (int(state[WINNERS]) >> player & 1) == 1
        if won:
            out[player] = 1.0
            winners += 1
    others = game.players - 1
    share = (game.players - winners) / (winners * others) if winners else 0.0
    for player in range(game.players):
        out[player] = share if out[player] > 0.0 else -1.0 / others


@implements(LoveLetter)
def pending(game, state):
    phase, reason = int(state[PHASE]), int(state[REASON])
    return int(phase == CHOOSING or (phase == DRAWING and reason != FOR_TURN))


for _operation in (legal, pick, fault_action, chances, draw, determinize):
    implements(LoveLetter)(_operation)
serve(LoveLetter)
