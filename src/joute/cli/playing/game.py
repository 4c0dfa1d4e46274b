"""How a game is drawn and typed at the terminal.

A game may bring a `Terminal` on its card. Without one its board is the text of `render`, and people
type and read actions as the game writes them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from joute.cli.playing import typed
from joute.cli.playing.typed import Asked, Typed, listed
from joute.core.interface import describe, play, render
from joute.core.registry import card_of
from joute.i18n.words import say, spoken
from joute.text import Line


class Marks(NamedTuple):
    """What is to be pointed out on a board."""

    last: dict[str, Any] | None = None  # what the viewer was told of the last action
    legal: tuple[int, ...] = ()
    signs: bool = False  # whether marks are characters, for who sees no colours
    names: tuple[str, ...] = ()  # of the seats
    over: bool = False  # whether the game is over: then nothing needs to be hidden


class Drawing(NamedTuple):
    """A board as `player` may see it, and a narrower one if the game has it."""

    wide: list[Line]
    narrow: list[Line]


def _draw(game: Any, state: Any, player: int, marks: Marks) -> Drawing:
    return Drawing([[(line, "")] for line in render(game, state, player).splitlines()], [])


def _understand(asked: Asked, text: str) -> Typed:
    return typed.understand(asked.game, asked.state, asked.actions, text)


def _choices(asked: Asked) -> list[str]:
    return typed.choices(asked.game, asked.state, asked.actions)


def _listing(asked: Asked) -> list[str]:
    return [listed({_written(asked, action): action for action in asked.actions})]


def _help(asked: Asked) -> list[str]:
    return [say("play.help.actions", example=spoken(_written(asked, asked.actions[0])))]


def _written(asked: Asked, action: int) -> str:
    return describe(asked.game, asked.state, action)


def _spoken(asked: Asked, actions: list[int]) -> str:
    texts, after = [], list(asked.state)
    for action in actions:
        texts.append(spoken(describe(asked.game, after, action)))
        play(asked.game, after, action)
    return "; ".join(texts)


class Terminal(NamedTuple):
    """How a game is drawn and typed."""

    draw: Callable[[Any, Any, int, Marks], Drawing] = _draw
    """The board as a player may see it."""
    seated: bool = False
    """Whether the board says who sits where and how they stand, so that no list of seats does."""
    signs: str = ""
    """The players' signs on the board, where they are not 0, 1 ..."""
    understand: Callable[[Asked, str], Typed] = _understand
    """What a text means. Raises Unclear."""
    choices: Callable[[Asked], list[str]] = _choices
    """What may be typed, for completion."""
    listing: Callable[[Asked], list[str]] = _listing
    """The legal actions, in lines."""
    help: Callable[[Asked], list[str]] = _help
    """Lines on how actions are typed."""
    spoken: Callable[[Asked, list[int]], str] = _spoken
    """The actions of a turn, in words."""
    reason: Callable[[Asked, int], str] = lambda asked, action: ""
    """Why an action is good."""


def terminal(game: Any) -> Terminal:
    """How a game is drawn and typed."""
    card = card_of(game)
    found: Terminal = card.load(card.terminal) if card.terminal else Terminal()
    return found


def sign(game: Any, player: int) -> str:
    """How the board of a game shows what is a player's."""
    signs = terminal(game).signs
    return signs[player] if signs else str(player)
