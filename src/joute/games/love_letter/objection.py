"""The rule of Love Letter that an action breaks, for whoever answered it."""

from typing import Any

from joute.core.interface import implements, legal_actions
from joute.games.love_letter.state import (
    AIMED,
    ALIVE,
    CARDS,
    CHOICE,
    CHOOSING,
    COUNTESS,
    CURRENT,
    FORCING,
    GUARD,
    NAMES,
    NOBODY,
    PHASE,
    PLAYED,
    PRINCE,
    PROTECTED,
    LoveLetter,
    hand,
    targets,
)
from joute.i18n.words import Sentence


@implements(LoveLetter)
def objection(game: LoveLetter, state: Any, action: int) -> Sentence | None:
    if action in legal_actions(game, state):
        return None
    held = hand(state, int(state[CURRENT]))
    cards = ", ".join(NAMES[card] for card in held)
    if state[PHASE] == CHOOSING:
        return Sentence("error.love-letter.illegal.choice", cards=cards)
    if not 0 <= action < CHOICE:
        return Sentence("error.love-letter.illegal.number", action=action, last=CHOICE - 1)
    card, how = divmod(action, PLAYED)
    if card not in held:
        return Sentence("error.love-letter.illegal.hand", card=NAMES[card], cards=cards)
    if card != COUNTESS and COUNTESS in held and 1 << card & FORCING:
        return Sentence("error.love-letter.illegal.countess", card=NAMES[card])
    return _of_target(game, state, card, how)


def _of_target(game: LoveLetter, state: Any, card: int, how: int) -> Sentence:
    """The rule that a card of the hand breaks by its target or its guess."""
    name, open_to = NAMES[card], int(targets(state))
    if card == PRINCE:
        open_to |= 1 << int(state[CURRENT])
    if not open_to or not (1 << card & AIMED or card == PRINCE):
        return Sentence("error.love-letter.illegal.alone", card=name)
    target, guess = divmod(how, 10)
    if how >= NOBODY or target >= game.players:
        return Sentence("error.love-letter.illegal.target", card=name, last=game.players - 1)
    if not int(state[ALIVE]) >> target & 1:
        return Sentence("error.love-letter.illegal.out", player=target)
    if int(state[PROTECTED]) >> target & 1 and target != state[CURRENT]:
        return Sentence("error.love-letter.illegal.protected", player=target)
    if not open_to >> target & 1:
        return Sentence("error.love-letter.illegal.self", card=name)
    if card == GUARD:
        known = ", ".join(NAMES[each] for each in range(CARDS) if each != GUARD)
        return Sentence("error.love-letter.illegal.guess", known=known)
    return Sentence("error.love-letter.illegal.named", card=name, guess=guess)
