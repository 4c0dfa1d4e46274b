"""The levels that people choose an opponent by, and how strong each was measured to be.

A game that has the file `levels.json` beside its card names five of them, with the shares of games
that each wins; `scripts/bench levels` measures these again. A game without that file has the levels
of its card that play it, without figures.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from joute.bots.ladder import levels, player_at, playing
from joute.core.card import Card
from joute.core.interface import properties
from joute.core.registry import card_of
from joute.i18n.words import has, say, say_of

FILE = "levels.json"
PLAIN = 0.85
"""A level that wins this share against beginners is compared with the level before; so are those
above it."""


class PeopleLevel(msgspec.Struct, frozen=True, kw_only=True):
    """A built-in opponent of people. Shares are of games won, a draw as half of one."""

    bot: str  # as it stands after `builtin:`
    beginners: float | None = None  # the share won against the game's beginner; None: nearly all
    before: float | None = None  # against the level before


class PeopleLevels(msgspec.Struct, frozen=True, kw_only=True):
    """The file of a game: its levels, the weakest first, and whom they were measured against."""

    beginner: str = ""  # a built-in bot that plays as somebody new to the game may
    parameters: dict[str, int] = {}  # of the games that were played, where they are not the usual
    games: int = 0  # played for each share, or more
    levels: tuple[PeopleLevel, ...]
    rungs: tuple[str, ...] = ()  # these and the levels of the card, the weakest first; () where
    # the card has them all in its own order


def people_levels(game: Any) -> PeopleLevels:
    """The levels of a game."""
    return kept_levels(card_of(game)) or PeopleLevels(
        levels=tuple(PeopleLevel(bot=each) for each in levels(game))
    )


def rungs(game: Any) -> tuple[str, ...]:
    """The bots of a game that others are measured by, the weakest first, as after `builtin:`.

    They are its levels and those of its card, in the order that the game brings. Without one they
    are the card's if the levels are among them, else the levels alone.
    """
    brought, known = kept_levels(card_of(game)), levels(game)
    if brought is not None:
        own = tuple(each.bot for each in brought.levels)
        known = brought.rungs or (known if set(own) <= set(known) else own)
    return playing(known, game)


@lru_cache(maxsize=64)
def _read(path: Any) -> PeopleLevels:
    return msgspec.json.decode(path.read_bytes(), type=PeopleLevels)


def kept_levels(brought: Card) -> PeopleLevels | None:
    """The levels that a game brings, if it does."""
    path = brought.file(FILE)
    return _read(path) if path else None


def level_name(game: str, number: int) -> str:
    """The name of a level, from 1, in the words of the game; its number where it has none."""
    key = f"level.{game}.{number}"
    return say(key) if has(key) else say("level.number", number=number)


def level_told(game: str, known: PeopleLevels, number: int) -> str:
    """A sentence on the measured strength of a level, from 1; "" where it was not measured."""
    level = known.levels[number - 1]
    many = level.beginners is None or level.beginners >= PLAIN
    if level.before is not None and many:
        return say("level.before", count=_of_ten(level.before), name=level_name(game, number - 1))
    if level.beginners is None:
        return ""
    count = _of_ten(level.beginners)
    return say_of(count, "level.beginners", count=count)


def opponent_at(game: Any, number: int) -> str:
    """The bot of a level, from 1, as people write it; below it one that plays this very game.

    Raises BuiltinError if there is none.
    """
    brought = kept_levels(card_of(game))
    return player_at(game, number, tuple(each.bot for each in brought.levels) if brought else ())


def level_of(game: Any, bot: str) -> int:
    """The level, from 1, that a built-in bot is, as people write it; 0 for none."""
    known = [f"builtin:{each.bot}" for each in people_levels(game).levels]
    return known.index(bot) + 1 if bot in known else 0


def named_bot(game: Any, bot: str) -> str:
    """The name of the level that a built-in bot is, or the bot's own without its options."""
    number = level_of(game, bot)
    if number and kept_levels(card_of(game)):
        return level_name(properties(game).name, number)
    return bare_name(bot)


def bare_name(bot: str) -> str:
    """The name of a built-in bot in the code, without its options."""
    return bot.removeprefix("builtin:").partition("?")[0]


def _of_ten(share: float) -> int:
    return min(max(round(10 * share), 0), 10)
