"""The house bots of contests: the built-in bots of a game's levels, by the names of these."""

from __future__ import annotations

from typing import NamedTuple

from joute.bots.levels import PeopleLevels, kept_levels, level_name, level_told, people_levels
from joute.core.errors import GameError
from joute.core.registry import card, make
from joute.i18n.words import say


class HouseBot(NamedTuple):
    """A built-in bot that can take part."""

    bot: str  # as it stands after `builtin:`
    name: str  # of its level, in the language spoken now
    told: str  # how strong it was measured to be; "" where it was not


def house_codes(game: str) -> list[str]:
    """The built-in bots of a game's levels as they stand after `builtin:`, the weakest first."""
    known = _levels(game)
    return [each.bot for each in known.levels] if known else list(card(game).levels)


def house_bots(game: str) -> list[HouseBot]:
    """The built-in bots of a game's levels, the weakest first."""
    known = kept_levels(card(game))
    if known is None:
        return [
            HouseBot(bot, say("organise.house.name", bot=bot.partition("?")[0], level=at), "")
            for at, bot in enumerate(house_codes(game), start=1)
        ]
    return [
        HouseBot(each.bot, level_name(game, at), level_told(game, known, at))
        for at, each in enumerate(known.levels, start=1)
    ]


def _levels(game: str) -> PeopleLevels | None:
    """The levels of a game; None of one that needs parameters: it shows when it is made."""
    try:
        return people_levels(make(game))
    except GameError:
        return None
