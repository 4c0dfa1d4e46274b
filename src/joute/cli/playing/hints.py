"""What a built-in bot would play, for who asks."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from joute import bots
from joute.cli.words import say
from joute.games.interface import describe, properties, start

SECONDS = 0.5  # of CPU, for a bot that takes what it is given
ADVISERS = {
    "virus": (("alphabeta", {"evaluation": "fitted"}), ("alphabeta", {})),
}
"""Of each game, the built-in bots that advise, the best first, with their options."""
ANY = (("alphabeta", {}), ("greedy", {}))  # of a game that is not named


def hint(game: Any, state: Any, player: int) -> str:
    """A sentence with the action of the first adviser that plays the game, or that there is none.

    The bot is given what the player may know, and no more.
    """
    table = bots.Table(game, player, secrets.randbits(32), SECONDS)
    for name, options in ADVISERS.get(properties(game).name, ANY):
        try:
            bot = bots.make(name, {**options, **_limited(name)}, table)
        except bots.BuiltinError:
            continue
        known = np.array(bots.View(table).of(list(state)), start(game).dtype)
        action = bot.play(known).action
        return say("play.hinted", bot=name, action=describe(game, state, action))
    return say("play.no_hint")


def _limited(name: str) -> dict[str, str]:
    return {"seconds": str(SECONDS)} if name == "alphabeta" else {}
