"""The strongest player that Joute has of each game.

It is a built-in bot with the options that make it strongest. Option: `seconds` of CPU per turn, by
default most of what a turn may take, and two seconds where that is more.
"""

from joute.bots import Bot, Table, refused
from joute.core.registry import card_of, cards
from joute.i18n.words import Sentence

SHARE = 0.8  # of a turn's time, by default
MOST_SECONDS = 2.0  # by default: longer thought gains little, and somebody may wait


def make(table: Table, *, seconds: float = 0.0) -> Bot:
    """The bot. Raises BuiltinError for a game without a champion, or an option out of range."""
    card = card_of(table.game)
    if not card.champion:
        known = ", ".join(each.name for each in cards() if each.champion)
        raise refused("champion", Sentence("error.builtin.champion", game=card.name, known=known))
    if seconds < 0:
        raise refused("champion", Sentence("error.builtin.seconds"))
    seconds = seconds or min(SHARE * table.move_seconds, MOST_SECONDS)
    bot: Bot = card.load(card.champion).make(table, seconds=seconds)
    return bot
