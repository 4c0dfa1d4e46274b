"""Love Letter: one card in hand, one drawn, one played; whoever is left, or holds most, wins.

A round ends when one player is left or the deck is empty; then the highest card wins. With a Priest
one sees a hand, with a Guard one guesses it, with a Baron one compares: what each has seen stands
in the state, and no conclusions from it.

Source: the rulebook of 2019 (21 cards, 2 to 6 players); the deck of 16 cards is its own option.

The deal and every draw are outcomes of chance, the starter of a round too, and each round has
streams of its own: games with one seed have the same deck in the same round, whatever was played
before. The state is laid out in `state`.
"""

from typing import Any

from joute.core.arrays import index
from joute.core.errors import GameError
from joute.core.interface import CHANCE, OVER, Properties, implements, inline
from joute.games.love_letter import features as _features  # noqa: F401 - implements them
from joute.games.love_letter import objection as _objection  # noqa: F401 - implements it
from joute.games.love_letter import table, text  # noqa: F401 - register what bots and people read
from joute.games.love_letter.hidden import take
from joute.games.love_letter.state import (
    ACTIONS,
    ALIVE,
    BARON,
    BONUS,
    BOTTOM,
    BOTTOM_COUNT,
    BOTTOM_KNOWN,
    CARD_SHIFT,
    CARDS,
    CHANCELLOR,
    CHOICE,
    CHOOSING,
    CLASSIC_COPIES,
    COPIES,
    CURRENT,
    DEALING,
    DRAWING,
    DUE,
    ENDED,
    FACE_UP,
    FOR_CHANCELLOR,
    FOR_HAND,
    FOR_TURN,
    GUARD,
    HANDMAID,
    HANDS,
    KNOWN,
    LOG,
    LOG_CARD,
    LOG_HOW,
    LOGGED,
    MOST_CLASSIC,
    MOST_PLAYERS,
    NOBODY,
    NONE,
    OFFICIAL_TOKENS,
    PHASE,
    PLAYED,
    PLAYING,
    POOL,
    PRIEST,
    PRINCE,
    PRINCESS,
    PROTECTED,
    RANDOM,
    REASON,
    RECEIVER,
    ROUND,
    SECOND,
    SECOND_KNOWN,
    SINGLE,
    SPIES,
    SPY,
    STARTING,
    THIRD,
    TOKENS,
    WINNERS,
    LoveLetter,
    lay_out,
    tenth,
)
from joute.i18n.words import AnyOf, Sentence

MOST_TOKENS = 20
DECKS = ("2019", "classic")


def make(*, players: Any = 2, tokens: Any = 1, deck: Any = "2019") -> LoveLetter:
    """Love Letter at a table.

    Args:
        players: 2 to 6; 2 to 4 with the classic deck.
        tokens: as many as win the game; 1 is a single round, 0 or "official" as in the rulebook.
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
def properties(game: LoveLetter) -> Properties:
    players = game.players
    deck = deck_size(game)
    dealt = players + (3 if players == 2 else 0)
    # The starter and the deal; a turn draws a card of the deck and plays one. Two Chancellors draw
    # two cards more and choose, two Princes draw one more.
    plies = 1 + dealt + 2 * deck + 8
    return Properties(
        name="love-letter",
        players=players,
        simultaneous=False,
        chance=True,
        hidden_information=True,
        zero_sum=True,
        max_actions=ACTIONS,
        # A Guard, and a Prince beside it.
        max_legal=10 * (players - 1) + 1,
        max_outcomes=CARDS,
        max_plies=most_rounds(game) * plies,
        lowest_return=-1.0 / (players - 1),
        highest_return=1.0,
        version=1,
    )


@implements(LoveLetter)
def max_answers(game: LoveLetter) -> int:
    """In each round a card of the deck for each turn, and a choice for each of the Chancellors."""
    copies = CLASSIC_COPIES if game.classic else COPIES
    return most_rounds(game) * (deck_size(game) + copies[CHANCELLOR])


@implements(LoveLetter)
def parameters(game: LoveLetter) -> dict[str, Any]:
    deck = "classic" if game.classic else "2019"
    return {"players": game.players, "tokens": game.tokens, "deck": deck}


def most_rounds(game: LoveLetter) -> int:
    """The rounds of a game in which everybody lacks one token before the last of them."""
    return game.players * (game.tokens - 1) + 1


def deck_size(game: LoveLetter) -> int:
    """Cards in the deck after the deal."""
    cards = sum(CLASSIC_COPIES if game.classic else COPIES)
    return cards - 1 - game.players - (3 if game.players == 2 else 0)


@implements(LoveLetter)
def stream(game: LoveLetter, state: Any) -> str:
    """A stream for each round: games with one seed have the same decks, however long the rounds."""
    if state[PHASE] == STARTING:
        return f"starter {int(state[ROUND]) + 1}"
    return f"deck {int(state[ROUND])}"


@implements(LoveLetter)
def decisions(game: LoveLetter, state: Any, action: int) -> tuple[int, ...]:
    """The card played, its target (NOBODY's tens without one) and the guess; a choice is one."""
    if action >= CHOICE:
        return (int(action),)
    card, how = divmod(int(action), PLAYED)
    return (card, *divmod(how, 10))


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
    """Begins a round; the state of the first is laid out already."""
    if state[ROUND] > 0:
        lay_out(game, state)
    state[CURRENT] = starter
    state[ROUND] += 1
    state[PHASE] = DEALING


@inline
def _deal(game, state, card):
    """Deals the face-up cards first, then a card to each player; one is due for the first turn."""
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
    """Goes on when no card is due: to a choice, or to the end of the turn."""
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
    """Ends the round, or makes a card due for the next living player."""
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
    """Gives the tokens; at a showdown the hands are open."""
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


@inline
def play_card(state, action):
    """Applies the card played; REASON and DUE say what is due after it."""
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
    """Takes the card played from the two held; players who knew the other one know it still.

    Those who know one of two equal cards cannot tell which of them is played.
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
    mine, theirs = int(state[index(HANDS + player)]), int(state[index(HANDS + target)])
    loser = NONE
    if card == GUARD:
        if theirs == guess:
            loser = target
    elif card == PRIEST:
        state[index(KNOWN + target)] |= bit
    elif card == BARON:
        if mine == theirs:
            state[index(KNOWN + target)] |= bit
            state[index(KNOWN + player)] |= 1 << target
        else:
            loser = target if theirs < mine else player
    elif card == PRINCE:
        if theirs == PRINCESS:
            loser = target
        else:
            _note(state, target + LOG_CARD * theirs)
            if theirs == SPY:
                state[SPIES] |= 1 << target
            state[index(HANDS + target)] = NONE
            state[index(KNOWN + target)] = 0
            state[RECEIVER] = target
            state[DUE] = 1
    else:
        known = int(state[index(KNOWN + player)]) | 1 << target
        state[index(HANDS + player)] = theirs
        state[index(HANDS + target)] = mine
        state[index(KNOWN + player)] = int(state[index(KNOWN + target)]) | bit
        state[index(KNOWN + target)] = known
    if loser != NONE:
        _put_out(state, loser)


@inline
def _put_out(state, player):
    """Discards the hand without effect; the player's Spies no longer matter."""
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
    """Keeps one of the Chancellor's cards; the rest go below the deck."""
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
