"""What a built-in bot would play, and what it thinks of the game: for whoever asks."""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple

import numpy as np

from joute import bots
from joute.games.interface import properties, start
from joute.host.names import parse_bot

MOVE_SECONDS = 5.0  # what the bot is told; one that looks at the clock takes a tenth
ADVISERS: dict[str, tuple[str, ...]] = {
    "love-letter": ("ismcts", "rules"),
    "paradise": ("turn", "greedy"),
    "tron": ("fill", "territory"),
    "vampires": ("expectimax",),
    "virus": ("alphabeta?evaluation=fitted", "alphabeta"),
}
"""Of each game, the built-in bots that advise, the best first."""
ANY = ("alphabeta", "greedy")  # of a game that is not named


class Advice(NamedTuple):
    """What a built-in bot has to say about a state."""

    bot: str  # its name
    actions: list[int]  # what it would play: an action, or those of a whole turn
    value: float | None  # for the player to move, from -1, lost, to 1, won; None if it has none
    line: tuple[int, ...]  # the actions that it expects, those of the player to move first
    message: str


def adviser(game: Any, player: int = 0) -> str:
    """The built-in bot that advises a player of a game, the best there is; "" if none can."""
    for name in ADVISERS.get(properties(game).name, ANY):
        spec = parse_bot(f"builtin:{name}")
        try:
            bots.make(spec.name, spec.options, bots.Table(game, player, 0, MOVE_SECONDS))
        except bots.BuiltinError:
            continue
        return spec.text
    return ""


def advise(game: Any, state: Any, player: int, move_seconds: float = MOVE_SECONDS) -> Advice | None:
    """The advice of the first adviser that plays the game to the player to move.

    None if there is no such bot. The bot is given what the player may know, and no more; so is who
    says why.
    """
    text = adviser(game, player)
    if not text:
        return None
    spec = parse_bot(text)
    table = bots.Table(game, player, secrets.randbits(32), move_seconds)
    known = np.array(bots.View(table).of(list(state)), start(game).dtype)
    choice = bots.make(spec.name, spec.options, table).play(known)
    actions = choice.action if isinstance(choice.action, list) else [choice.action]
    return Advice(spec.name, actions, choice.value, choice.line, choice.message)
