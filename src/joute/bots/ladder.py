"""The levels that people climb: built-in bots of each game, the weakest first."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any
from urllib.parse import parse_qsl

from joute import bots
from joute.core.interface import parameters, properties
from joute.core.registry import make
from joute.i18n.words import Sentence

LADDER: dict[str, tuple[str, ...]] = {
    "love-letter": (
        "random",
        "flat?simulations=1",
        "flat?simulations=6",
        "rules",
        "ismcts?simulations=4000",
        "champion?seconds=0.1",
    ),
    "paradise": (
        "random",
        "face?stray=0.8",
        "face?stray=0.6",
        "face?stray=0.3",
        "face",
        "curve",
        "greedy",
        "turn",
        "champion?seconds=0.001",
        "champion?seconds=0.1",
    ),
    "tron": (
        "random",
        "flat?simulations=1",
        "wall",
        "flat?simulations=20",
        "flat?simulations=100",
        "territory",
        "champion?seconds=0.005",
        "champion?seconds=0.05",
    ),
    "vampires": (
        "random",
        "nearest?stray=0.8",
        "nearest?stray=0.6",
        "nearest?stray=0.3",
        "nearest",
        "expectimax?depth=1",
        "expectimax?nodes=3000&evaluation=race",
        "champion?seconds=1",
    ),
    "virus": (
        "random",
        "greedy?stray=0.2",
        "greedy?stray=0.08",
        "greedy",
        "alphabeta?nodes=8&evaluation=learned",
        "alphabeta?nodes=40&evaluation=learned",
        "alphabeta?nodes=100&evaluation=learned",
        "alphabeta?nodes=300&evaluation=learned",
        "alphabeta?nodes=1000&evaluation=learned",
        "alphabeta?nodes=4000&evaluation=learned",
        "alphabeta?nodes=15000&evaluation=learned",
        "alphabeta?nodes=40000&evaluation=learned&reduce=1",
        "champion?seconds=0.05",
        "champion?seconds=1",
    ),
}
"""What stands after `builtin:`, by the game's name."""
AMOUNTS = ("seconds", "simulations", "nodes", "depth", "positions", "rounds")
"""Options that say how much a bot thinks."""
ANY = ("random", "greedy", "flat?simulations=50", "alphabeta", "ismcts")
"""The same of a game that is not named."""


def ladder(game: str) -> tuple[str, ...]:
    """The bots of a game's levels by its name, the weakest first."""
    return LADDER.get(game, ANY)


def field(games: Sequence[Any]) -> tuple[str, ...]:
    """Every built-in bot that plays all of these games: the levels, and the others as they are.

    Levels that are others with a time of their own are left out.
    """
    levels = ladder(properties(games[0]).name)
    known = dict.fromkeys(each for each in levels if "seconds=" not in each)
    modules: set[str] = set()  # where two names have one, the second is an alias
    for name, module in bots.BOTS.items():
        if module not in modules and not bots.peeks(name):
            known.setdefault(name)
        modules.add(module)
    return tuple(each for each in known if all(_plays(each, game) for game in games))


def with_time(bot: str, seconds: float) -> str:
    """The bot told to think so long about each turn, if it is free to: no number limits it."""
    name, _, options = bot.partition("?")
    known = import_module(bots.BOTS[name]).make.__kwdefaults__ or {}
    if "seconds" not in known or any(each in AMOUNTS for each, _ in parse_qsl(options)):
        return bot
    return f"{bot}{'&' if options else '?'}seconds={seconds:g}"


def player_at(game: Any, level: int) -> str:
    """The bot of a level, from 1, as people write it; below it the next that plays this very game.

    Raises BuiltinError if there is none.
    """
    name = properties(game).name
    usual = name in LADDER and parameters(game) == parameters(make(name))
    for each in reversed(ladder(name)[: max(level, 1)]):
        # Every level plays the usual game; to ask by making a bot may take seconds of compiling.
        if usual or _plays(each, game):
            return f"builtin:{each}"
    raise bots.BuiltinError(Sentence("error.builtin.level", level=level))


def _plays(bot: str, game: Any) -> bool:
    name, _, options = bot.partition("?")
    table = bots.Table(game, 0, 0, 1.0)
    try:
        bots.make(name, dict(parse_qsl(options)), table)
    except bots.BuiltinError:
        return False
    return True
