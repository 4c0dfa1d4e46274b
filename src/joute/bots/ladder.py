"""The levels that people climb, built-in bots of each game, and at their top its champion."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl

from joute import bots
from joute.core.card import LEVELS
from joute.core.compiled import interpreting
from joute.core.interface import parameters
from joute.core.registry import card_of, cards, make, needed
from joute.i18n.words import Sentence

SHARE = 0.8  # of a turn's time for a champion, by default
MOST_SECONDS = 2.0  # by default: longer thought gains little, and somebody may wait
AMOUNTS = ("seconds", "simulations", "nodes", "depth", "positions", "rounds", "worlds")
"""Options that say how much a bot thinks."""


def levels(game: Any) -> tuple[str, ...]:
    """The bots that people climb: those that the game names, else general ones that play it."""
    named = card_of(game).levels
    return named if named is not LEVELS else _playing(game)


@lru_cache(maxsize=64, typed=True)  # tuples of two games may be equal
def _playing(game: Any) -> tuple[str, ...]:
    return tuple(each for each in LEVELS if bots.suits(each.partition("?")[0], game))


def field(games: Sequence[Any]) -> tuple[str, ...]:
    """Every built-in bot that plays all of these games: the levels, and the others as they are.

    Levels that are others with a time of their own are left out.
    """
    known = dict.fromkeys(each for each in card_of(games[0]).levels if "seconds=" not in each)
    makers = set()  # where two names have one, the second is an alias
    for name in bots.names():
        maker = bots.maker_of(name, games[0])
        if maker not in makers and not bots.peeks(name):
            known.setdefault(name)
        makers.add(maker)
    return tuple(each for each in known if all(_plays(each, game) for game in games))


def with_time(bot: str, seconds: float) -> str:
    """The bot told to think so long about each turn, if it is free to: no number limits it."""
    name, _, options = bot.partition("?")
    known = bots.maker_of(name).__kwdefaults__ or {}
    if "seconds" not in known or any(each in AMOUNTS for each, _ in parse_qsl(options)):
        return bot
    return f"{bot}{'&' if options else '?'}seconds={seconds:g}"


def is_anchor(bot: str) -> bool:
    """Whether a built-in bot thinks by an amount in its name, whatever time it may take."""
    kind, _, name = bot.partition(":")
    options = parse_qsl(name.partition("?")[2])
    return kind == "builtin" and any(each in AMOUNTS and each != "seconds" for each, _ in options)


def player_at(game: Any, level: int, known: Sequence[str] = ()) -> str:
    """The bot of a level, from 1, as people write it; below it the next that plays this very game.

    `known` are levels that play the usual game, by default those that people climb. Raises
    BuiltinError if there is none.
    """
    card, ladder = card_of(game), levels(game)
    # Every level plays the usual game; to ask by making a bot may take seconds of compiling.
    named = bool(known) or ladder is card.levels
    usual = not named or _is_usual(game, card.name)
    for each in reversed((known or ladder)[: max(level, 1)]):
        if usual or _plays(each, game):
            return f"builtin:{each}"
    raise bots.BuiltinError(Sentence("error.builtin.level", level=level))


def playing(bots: Sequence[str], game: Any) -> tuple[str, ...]:
    """Those of these bots, as they stand after `builtin:`, that play this very game."""
    if _is_usual(game, card_of(game).name):
        return tuple(bots)
    return tuple(each for each in bots if _plays(each, game))


def _is_usual(game: Any, name: str) -> bool:
    """Whether a game has its usual parameters."""
    return not needed(name) and parameters(game) == parameters(make(name))


def _plays(bot: str, game: Any) -> bool:
    name, _, options = bot.partition("?")
    seat = bots.Seating(game, 0, 0, 1.0)
    try:
        with interpreting():
            bots.make(name, dict(parse_qsl(options)), seat)
    except bots.BuiltinError:
        return False
    return True


def champion(seat: bots.Seating, *, seconds: float = 0.0, **own: Any) -> bots.BuiltinBot:
    """The bot `champion`: the strongest of each game, with its strongest options.

    Options: `seconds` of CPU per turn, by default most of the time a turn may take, and two seconds
    where that is more; and those of the game's champion. Raises BuiltinError for a game without
    one, or an option out of range.
    """
    card = card_of(seat.game)
    if not card.champion:
        known = ", ".join(each.name for each in cards() if each.champion)
        wrong = Sentence("error.builtin.champion", game=card.name, known=known)
        raise bots.refused("champion", wrong)
    if seconds < 0:
        raise bots.refused("champion", Sentence("error.builtin.seconds"))
    if not own.keys() & set(AMOUNTS):
        seconds = seconds or min(SHARE * seat.move_seconds, MOST_SECONDS)
    bot: bots.BuiltinBot = card.load(card.champion).make(seat, seconds=seconds, **own)
    return bot


def _champion_options(game: Any) -> dict[str, Any]:
    """The options of a game's champion, with their defaults."""
    card = card_of(game)
    made = card.load(card.champion).make.__kwdefaults__ if card.champion else {}
    return {"seconds": 0.0, **made}


champion.options = _champion_options  # type: ignore[attr-defined]
