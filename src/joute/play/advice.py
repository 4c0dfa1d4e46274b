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


def advise(game: Any, state: Any, player: int, move_seconds: float = MOVE_SECONDS) -> Advice | None:
    """The advice of the first adviser that plays the game to the player to move.

    None if there is no such bot. The bot is given what the player may know, and no more; so is who
    says why.
    """
    table = bots.Table(game, player, secrets.randbits(32), move_seconds)
    for adviser in ADVISERS.get(properties(game).name, ANY):
        spec = parse_bot(f"builtin:{adviser}")
        try:
            bot = bots.make(spec.name, spec.options, table)
        except bots.BuiltinError:
            continue
        known = np.array(bots.View(table).of(list(state)), start(game).dtype)
        choice = bot.play(known)
        actions = choice.action if isinstance(choice.action, list) else [choice.action]
        return Advice(spec.name, actions, choice.value, choice.line, choice.message)
    return None
