"""Advice by a built-in bot: what it would play, and what it thinks of the game."""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple

import numpy as np

from joute import bots
from joute.bots.ladder import with_time
from joute.core.interface import start
from joute.core.registry import card_of
from joute.host.names import parse_bot

SECONDS = 0.5  # of thought
SLACK = 10  # a bot is told that it may take so many times as long; some take a tenth of that
ADVISERS = ("champion", "alphabeta", "greedy")
"""The built-in bots that advise, the best first; not each of them plays every game."""


class Advice(NamedTuple):
    """The advice of a built-in bot on a state."""

    bot: str  # its name
    actions: list[int]  # what it would play: an action, or those of a whole turn
    value: float | None  # for the player to move, from -1, lost, to 1, won; None if it has none
    line: tuple[int, ...]  # the actions that it expects, those of the player to move first
    message: str


def adviser(game: Any, player: int = 0) -> str:
    """The built-in bot that advises a player of a game, the best there is; "" if none can."""
    for name in ADVISERS:
        if _plays(name, game, player):
            return f"builtin:{name}"
    return ""


def _plays(name: str, game: Any, player: int) -> bool:
    if name == "champion":  # known without making it, which may take seconds of compiling
        return bool(card_of(game).champion)
    spec = parse_bot(f"builtin:{name}")
    try:
        bots.make(spec.name, spec.options, _table(game, player, SECONDS))
    except bots.BuiltinError:
        return False
    return True


def advise(game: Any, state: Any, player: int, seconds: float = SECONDS) -> Advice | None:
    """The advice to the player to move, of the first adviser that plays the game.

    None if there is no such bot. The bot is given what the player may know, and no more; so is who
    says why.
    """
    text = adviser(game, player)
    if not text:
        return None
    spec = parse_bot(f"builtin:{with_time(text.removeprefix('builtin:'), seconds)}")
    table = _table(game, player, seconds)
    known = np.array(bots.View(table).of(list(state)), start(game).dtype)
    choice = bots.make(spec.name, spec.options, table).play(known)
    actions = choice.action if isinstance(choice.action, list) else [choice.action]
    return Advice(spec.name, actions, choice.value, choice.line, choice.message)


def _table(game: Any, player: int, seconds: float) -> bots.Table:
    return bots.Table(game, player, secrets.randbits(32), SLACK * seconds)
