"""The rule of Paradise that an action breaks, for whoever answered it."""

from typing import Any

from joute.core.interface import implements, legal_actions
from joute.games.paradise.state import (
    ACTIONS,
    AIM,
    AIMED,
    AIMS,
    BOARD_SIZE,
    BOOK,
    END,
    HAND,
    HAND_SIZE,
    HOUNDS,
    MANA,
    MINION,
    MOST_BOARD,
    OWN,
    PLAY,
    PLAYER,
    POWER_ACTION,
    POWER_COST,
    POWER_USED,
    STRIKE,
    TARGETS,
    USED,
    Paradise,
    block,
    minion,
)
from joute.i18n.words import Sentence


@implements(Paradise)
def objection(game: Paradise, state: Any, action: int) -> Sentence | None:
    if action in legal_actions(game, state):
        return None
    if not END <= action < ACTIONS:
        return Sentence("error.paradise.illegal.number", action=action, last=ACTIONS - 1)
    player = int(state[PLAYER])
    own, other = block(player), block(1 - player)
    enemies = int(state[other + BOARD_SIZE])
    if action == POWER_ACTION:
        key = "power" if state[own + POWER_USED] else "mana.power"
        mana = int(state[own + MANA])
        return Sentence(f"error.paradise.illegal.{key}", cost=POWER_COST, mana=mana)
    if action >= STRIKE:
        return _of_attack(state, own, enemies, *divmod(action - STRIKE, TARGETS))
    place, target = action - PLAY, None
    if action >= AIM:
        place, target = divmod(action - AIM, AIMS)
    return _of_card(state, own, place, target)


def _of_attack(state: Any, own: int, enemies: int, number: int, target: int) -> Sentence:
    if number >= state[own + BOARD_SIZE]:
        return Sentence("error.paradise.illegal.minion", number=number + 1)
    if target > enemies:
        return Sentence("error.paradise.illegal.enemy", number=target)
    key = "attacked" if state[minion(own, number) + USED] else "asleep"
    return Sentence(f"error.paradise.illegal.{key}", number=number + 1)


def _of_card(state: Any, own: int, place: int, target: int | None) -> Sentence:
    if place >= state[own + HAND_SIZE]:
        return Sentence("error.paradise.illegal.hand", number=place + 1)
    card = BOOK[int(state[own + HAND + place])]
    mana = int(state[own + MANA])
    if card.cost > mana:
        values = {"card": card.word, "cost": card.cost, "mana": mana}
        return Sentence("error.paradise.illegal.mana", **values)
    if (card.kind == AIMED) != (target is not None):
        key = "aimed" if card.kind == AIMED else "unaimed"
        return Sentence(f"error.paradise.illegal.{key}", card=card.word)
    if target == OWN:
        return Sentence("error.paradise.illegal.own", card=card.word)
    if target is not None:
        return Sentence("error.paradise.illegal.enemy", number=target)
    if card.kind in (MINION, HOUNDS) and state[own + BOARD_SIZE] == MOST_BOARD:
        return Sentence("error.paradise.illegal.full", most=MOST_BOARD)
    return Sentence("error.paradise.illegal.prey", card=card.word)
