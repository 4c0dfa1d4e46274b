"""How people speak of a game's actions: what they may type, what is listed, how it is said.

A game without a line in MANNERS is spoken of as it writes its actions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from joute.cli.playing import typed
from joute.cli.playing.typed import Asked, Typed, listed
from joute.core.interface import describe, play, properties
from joute.games.love_letter.terminal import listing as love_letter_said
from joute.games.love_letter.terminal import typed as love_letter_typed
from joute.games.paradise.terminal import listing as paradise_list
from joute.games.paradise.terminal import typed as paradise_typed
from joute.games.vampires import typed as orders
from joute.i18n.words import say, spoken


def _understand(asked: Asked, text: str) -> Typed:
    return typed.understand(asked.game, asked.state, asked.actions, text)


def _choices(asked: Asked) -> list[str]:
    return typed.choices(asked.game, asked.state, asked.actions)


def _listing(asked: Asked) -> list[str]:
    return [listed({_said(asked, action): action for action in asked.actions})]


def _help(asked: Asked) -> list[str]:
    return [say("play.help.actions", example=spoken(_said(asked, asked.actions[0])))]


def _said(asked: Asked, action: int) -> str:
    return describe(asked.game, asked.state, action)


def _spoken(asked: Asked, actions: list[int]) -> str:
    texts, after = [], list(asked.state)
    for action in actions:
        texts.append(spoken(describe(asked.game, after, action)))
        play(asked.game, after, action)
    return "; ".join(texts)


class Manner(NamedTuple):
    """How people speak of the actions of a game."""

    understand: Callable[[Asked, str], Typed] = _understand  # raises Unclear
    choices: Callable[[Asked], list[str]] = _choices  # what may be typed, for completion
    listing: Callable[[Asked], list[str]] = _listing  # the legal actions, in lines
    help: Callable[[Asked], list[str]] = _help  # lines on how actions are typed
    spoken: Callable[[Asked, list[int]], str] = _spoken  # the actions of a turn, in words
    reason: Callable[[Asked, int], str] = lambda asked, action: ""  # why an action is good


def manner(asked: Asked) -> Manner:
    """That of the game."""
    return MANNERS.get(properties(asked.game).name, Manner())


def _order(asked: Asked, text: str) -> Typed:
    return orders.understand(asked.game, asked.state, asked.actions, text)


def _groups(asked: Asked) -> list[str]:
    return orders.listing(asked.game, asked.actions)


def _order_help(asked: Asked) -> list[str]:
    return [say("play.help.orders", example=_said(asked, asked.actions[0]))]


MANNERS: dict[str, Manner] = {
    "love-letter": Manner(
        love_letter_typed.understand,
        love_letter_said.choices,
        love_letter_said.listing,
        love_letter_said.help,
        love_letter_said.spoken,
        love_letter_said.reason,
    ),
    "paradise": Manner(
        paradise_typed.understand,
        paradise_list.choices,
        paradise_list.listing,
        paradise_list.explain,
        paradise_list.spoken,
    ),
    "vampires": Manner(understand=_order, listing=_groups, help=_order_help),
}
"""By the game's name."""
