"""A choice in words before it is made: what it does, and nothing of what will come of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from joute.core.interface import describe, mover, observe, play, properties
from joute.games.love_letter.names import named
from joute.games.love_letter.state import CHOICE, GUARD, NOBODY, PLAYED, SINGLE
from joute.games.paradise.names import said
from joute.i18n.words import say
from joute.play.telling import whole_turn


def chosen(game: Any, state: Sequence[int], actions: Sequence[int], names: Sequence[str]) -> str:
    """The actions of a player's turn, with the names of the seats."""
    worded = WORDED.get(properties(game).name, _written)
    texts, after = [], list(state)
    for action in actions:
        if mover(game, after) < 0:  # chance comes between
            break
        texts.append(worded(game, after, action, names))
        play(game, after, action)
    return whole_turn("; ".join(texts))


def _written(game: Any, state: Any, action: int, names: Sequence[str]) -> str:
    return describe(game, state, action)


def _love_letter(game: Any, state: Any, action: int, names: Sequence[str]) -> str:
    if action >= CHOICE:
        digits = f"{action - SINGLE:02}" if action >= SINGLE else f"{action - CHOICE:03}"
        keep, *others = (named(int(card)) for card in digits)
        return say("table.hint.keep", card=keep, cards=", ".join(others))
    card, how = divmod(action, PLAYED)
    if how >= NOBODY:
        return named(card)
    values = {"card": named(card), "target": names[how // 10]}
    if card == GUARD:
        return say("table.hint.guess", guess=named(how % 10), **values)
    return say("table.hint.on", **values)


def _paradise(game: Any, state: Any, action: int, names: Sequence[str]) -> str:
    return said(observe(game, state, mover(game, state)), action)


WORDED: dict[str, Callable[[Any, Any, int, Sequence[str]], str]] = {
    "love-letter": _love_letter,
    "paradise": _paradise,
}
"""How a choice is said, in games whose notation is not for people."""
