"""What each player of Love Letter sees of an action, of a draw, and of the end of a round."""

from typing import Any

from joute.core.arrays import index
from joute.core.interface import CHANCE, implements, inline, mover, play
from joute.games.love_letter.state import (
    ACTIONS,
    ALIVE,
    BARON,
    BONUS,
    BOTTOM_KNOWN,
    CARDS,
    CHOOSING,
    CURRENT,
    DEALING,
    DRAWING,
    DUE,
    ENDED,
    FOR_CHANCELLOR,
    GUARD,
    HANDS,
    KING,
    LOGGED,
    NOBODY,
    PHASE,
    PLAYED,
    PLAYING,
    PRIEST,
    PRINCE,
    PRINCESS,
    REASON,
    ROUND,
    SECOND,
    STARTING,
    TOKENS,
    WINNERS,
    LoveLetter,
    draws,
    from_bottom,
    hand,
    log,
    members,
)

SOME_CARD = CARDS  # what one sees of a card drawn by another
SOME_CHOICE = ACTIONS  # and of another's choice with a Chancellor
SHOWN = 2048  # what an action shows is this many times a number, added to the action
TIE = 32


@implements(LoveLetter)
def seen(game, state, player, action):
    phase = int(state[PHASE])
    if phase == PLAYING:
        return action + SHOWN * _shown(state, player, action)
    if phase == CHOOSING:
        return action if state[CURRENT] == player else SOME_CHOICE
    if phase == DEALING:
        due = int(state[DUE])
        open_card = due > game.players or game.players - due == player
        return action if open_card else SOME_CARD
    if phase == DRAWING and not sees_draw(state, player):
        return SOME_CARD
    return action


@inline
def sees_draw(state, player):
    """Whether a player knows the card that is drawn: it is his, or he put it at the bottom.

    What a Chancellor draws is forgotten at once by who put it there: he cannot know what is kept.
    """
    if draws(state) == player:
        return True
    if not from_bottom(state) or state[REASON] == FOR_CHANCELLOR:
        return False
    return (int(state[BOTTOM_KNOWN]) >> player & 1) == 1


@inline
def _shown(state, player, action):
    """A number for what a card played shows to a player besides itself."""
    mover = int(state[CURRENT])
    card = action // PLAYED
    how = action % PLAYED
    held = int(state[index(HANDS + mover)])
    mine = int(state[SECOND]) if held == card else held
    if card == PRINCESS:
        return 1 + mine
    if how >= NOBODY:
        return 0
    target, guess = how // 10, how % 10
    his = mine if target == mover else int(state[index(HANDS + target)])
    if card == GUARD:
        return int(his == guess)
    if card == PRINCE:
        return 1 + his
    if card == PRIEST:
        return 1 + his if player == mover else 0
    if player == mover:
        return TIE + 1 + his
    if player == target:
        return TIE + 1 + mine
    if card == KING:
        return 0
    if mine == his:
        return TIE
    return 1 + mine if mine < his else 1 + CARDS + his


def revealed(game: LoveLetter, state: Any, player: int, action: int) -> dict[str, Any]:
    """What an action or outcome about to be applied shows to a player, by name."""
    after = [int(each) for each in state]
    play(game, after, int(action))
    shown: dict[str, Any] = {}
    if state[PHASE] == PLAYING:
        shown = _effects(state, player, int(action), after)
    elif mover(game, state) == CHANCE and state[PHASE] == DRAWING:
        shown["to"] = draws(state)
    if after[PHASE] in (ENDED, STARTING) and state[PHASE] != STARTING:
        shown["round_over"] = round_over(game, after)
    return shown


def _effects(state: Any, player: int, action: int, after: list[int]) -> dict[str, Any]:
    actor, (card, how) = int(state[CURRENT]), divmod(action, PLAYED)
    shown: dict[str, Any] = {}
    if how < NOBODY and card != PRINCE:
        target = how // 10
        his = int(state[HANDS + target])
        held = int(state[HANDS + actor])
        mine = int(state[SECOND]) if held == card else held
        if card == GUARD:
            shown["hit"] = his == how % 10
        elif card == PRIEST and player == actor:
            shown["seen"] = his
        elif card == BARON and player in (actor, target):
            shown["compared"] = [mine, his]
        elif card == KING and player in (actor, target):
            shown["swapped"] = [his, mine]
    discarded = log(after)[int(state[LOGGED]) + 1 :]
    if discarded:
        shown["discarded"] = [[each.player, each.card] for each in discarded]
    out = members(int(state[ALIVE]) & ~after[ALIVE])
    if out:
        shown["out"] = out[0]
    return shown


def round_over(game: LoveLetter, state: Any) -> dict[str, Any]:
    """How the round ended that has just been played, as everybody sees it."""
    alive = members(int(state[ALIVE]))
    showdown = len(alive) > 1
    return {
        "round": int(state[ROUND]),
        "reason": "showdown" if showdown else "elimination",
        "winners": members(int(state[WINNERS])),
        "spy_bonus": int(state[BONUS]) - 1 if state[BONUS] else None,
        "hands": [hand(state, each)[0] if showdown and each in alive else None
                  for each in range(game.players)],
        "tokens": [int(each) for each in state[TOKENS : TOKENS + game.players]],
    }  # fmt: skip
