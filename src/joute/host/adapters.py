"""Ways in which bots of other contests are written, found on the cards of the games."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from joute.core.registry import cards
from joute.host.child import interfaces as child
from joute.host.protocol import Dialect, JsonLines

PROGRAM = "program"
"""The prefix of a program that speaks the protocol of bots."""

_PLAIN = JsonLines()


def interfaces() -> list[str]:
    """The names of the interfaces that a Python bot may have."""
    return [*child.OWN, *(name for card in cards() for name in card.adapters)]


def adapters() -> dict[str, ModuleType]:
    """The modules that serve Python bots written for other contests, by the interface's name."""
    return {name: card.load(where) for card in cards() for name, where in card.adapters.items()}


def adapter_files() -> dict[str, str]:
    """The files of those modules, which a bot's process reads."""
    return {name: str(module.__file__) for name, module in adapters().items()}


def program_prefixes() -> list[str]:
    """What may stand before the colon of a program's name."""
    own = (name for card in cards() for name in (*card.dialects, *card.seats))
    return [PROGRAM, *own]


def dialect_of(prefix: str) -> Dialect:
    """How a bot is spoken to: the dialect of a prefix, or the protocol of bots."""
    for card in cards():
        if prefix in card.dialects:
            found: Dialect = card.load(card.dialects[prefix])
            return found
    return _PLAIN


def seat_of(prefix: str) -> Any:
    """The class of the seat of programs with this prefix, if they have one of their own.

    Its instances are made of (bot, limits, game) and are seats as `joute.play.seats` has them; its
    `refusal(game)` says why a game cannot be played so, "" if it can.
    """
    for card in cards():
        if prefix in card.seats:
            return card.load(card.seats[prefix])
    return None
