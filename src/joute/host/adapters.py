"""Ways in which bots of other contests are written, found on the cards of the games."""

from __future__ import annotations

import logging
from types import ModuleType
from typing import Any

from joute.core.registry import cards
from joute.host.child import interfaces as child
from joute.host.protocol import Dialect, JsonLines
from joute.i18n.recognised import recognised
from joute.i18n.words import Sentence

PROGRAM = "program"  # The prefix of a program that speaks the protocol of bots

_PLAIN = JsonLines()
_log = logging.getLogger(__name__)
_broken: dict[str, str] = {}  # The interfaces whose module cannot be used, and why


def interfaces() -> list[str]:
    """The names of the interfaces that a Python bot may have."""
    return [*child.OWN, *(name for card in cards() for name in card.adapters)]


def adapters() -> dict[str, ModuleType]:
    """The modules that serve Python bots written for other contests, by the interface's name.

    A module that cannot be imported is left out, with a warning the first time: bots of other
    games do not need it.
    """
    found = {}
    for card in cards():
        for name, where in card.adapters.items():
            try:
                found[name] = child.checked(card.load(where))
            except Exception as error:  # whatever a stranger's module raises
                reason = f"{type(error).__name__}: {error}"
                if _broken.get(name) != reason:
                    _log.warning("the interface %r of %s is left out: %s", name, card.name, reason)
                _broken[name] = reason
    return found


def adapter_files() -> dict[str, str]:
    """The files of those modules, which a bot's process reads."""
    return {name: str(module.__file__) for name, module in adapters().items()}


def interface_refusal(interface: str, parameters: dict[str, Any]) -> object:
    """The reason a Python bot of an interface cannot play such a game; "" if it can."""
    if interface in child.OWN:
        return ""
    if (found := adapters().get(interface)) is None:
        return Sentence("error.bot.adapter", interface=interface, reason=_broken.get(interface, ""))
    refusal = getattr(found, "refusal", None)
    return recognised(refusal(parameters)) if refusal else ""


def program_prefixes() -> list[str]:
    """The prefixes of programs' names: what stands before the colon."""
    own = (name for card in cards() for name in (*card.dialects, *card.seats))
    return [PROGRAM, *own]


def dialect_of(prefix: str) -> Dialect:
    """The dialect of programs with this prefix, or the protocol of bots."""
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


def server_of(prefix: str) -> str:
    """The command of the server that programs with this prefix connect to; "" without one."""
    return next((card.server for card in cards() if prefix in card.seats), "")
