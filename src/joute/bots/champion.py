"""The strongest player that Joute has of each game.

It is a built-in bot with the options that make it strongest. Option: `seconds` of CPU per turn, by
default most of what a turn may take, and two seconds where that is more.
"""

from importlib import import_module
from typing import Any

from joute.bots import Bot, Table, refused
from joute.core.interface import properties
from joute.i18n.words import Sentence

SHARE = 0.8  # of a turn's time, by default
MOST_SECONDS = 2.0  # by default: longer thought gains little, and somebody may wait

CHAMPIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "love-letter": ("joute.games.love_letter.players.champion", {}),
    "paradise": ("joute.games.paradise.players.champion", {}),
    "tron": ("joute.games.tron.players.champion", {}),
    "vampires": ("joute.games.vampires.players.champion", {}),
    "virus": ("joute.games.virus.players.champion", {}),
}
"""By the game's name: the module of a bot, and its options besides `seconds`."""


def make(table: Table, *, seconds: float = 0.0) -> Bot:
    """The bot. Raises BuiltinError for a game without a champion, or an option out of range."""
    name = properties(table.game).name
    if name not in CHAMPIONS:
        known = ", ".join(CHAMPIONS)
        raise refused("champion", Sentence("error.builtin.champion", game=name, known=known))
    if seconds < 0:
        raise refused("champion", Sentence("error.builtin.seconds"))
    module, options = CHAMPIONS[name]
    seconds = seconds or min(SHARE * table.move_seconds, MOST_SECONDS)
    bot: Bot = import_module(module).make(table, **options, seconds=seconds)
    return bot
