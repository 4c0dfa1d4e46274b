"""What a built-in bot would play, for who asks."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from joute import bots
from joute.cli.playing.manner import manner
from joute.cli.playing.typed import Asked
from joute.games.interface import properties, start
from joute.host.names import parse_bot
from joute.speech.words import say

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


def hint(game: Any, state: Any, player: int, names: tuple[str, ...] = ()) -> str:
    """A sentence with the action of the first adviser that plays the game, or that there is none.

    The bot is given what the player may know, and no more; so is who says why.
    """
    table = bots.Table(game, player, secrets.randbits(32), MOVE_SECONDS)
    for adviser in ADVISERS.get(properties(game).name, ANY):
        spec = parse_bot(f"builtin:{adviser}")
        try:
            bot = bots.make(spec.name, spec.options, table)
        except bots.BuiltinError:
            continue
        known = np.array(bots.View(table).of(list(state)), start(game).dtype)
        chosen = bot.play(known).action
        actions = chosen if isinstance(chosen, list) else [chosen]
        asked = Asked(game, state, player, actions, names)
        said = say("play.hinted", bot=spec.name, action=manner(asked).spoken(asked, actions))
        return f"{said}{manner(asked).reason(asked, actions[0])}"
    return say("play.no_hint")
