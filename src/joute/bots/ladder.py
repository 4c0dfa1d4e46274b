"""The levels that people climb: built-in bots of each game, the weakest first."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

from joute import bots
from joute.games.interface import properties

LADDER: dict[str, tuple[str, ...]] = {
    "love-letter": (
        "random",
        "flat?simulations=4",
        "rules",
        "ismcts?simulations=200",
        "ismcts?simulations=4000",
    ),
    "paradise": ("random", "curve", "face", "greedy", "turn?positions=300", "turn"),
    "tron": (
        "random",
        "greedy",
        "wall",
        "flat?simulations=20",
        "territory",
        "champion?seconds=0.005",
        "champion",
    ),
    "vampires": (
        "random",
        "nearest",
        "expectimax?depth=1",
        "expectimax?nodes=300&evaluation=race",
        "expectimax?nodes=3000&evaluation=race",
        "champion",
    ),
    "virus": (
        "random",
        "greedy",
        "alphabeta?depth=2",
        "alphabeta?depth=4",
        "alphabeta?depth=4&evaluation=fitted",
        "alphabeta?evaluation=fitted",
    ),
}
"""What stands after `builtin:`, by the game's name."""
ANY = ("random", "greedy", "flat?simulations=50", "alphabeta", "ismcts")
"""The same of a game that is not named."""


def ladder(game: str) -> tuple[str, ...]:
    """The bots of a game's levels by its name, the weakest first."""
    return LADDER.get(game, ANY)


def player_at(game: Any, level: int) -> str:
    """The bot of a level, from 1, as people write it; below it the next that plays this very game.

    Raises BuiltinError if there is none.
    """
    table = bots.Table(game, 0, 0, 1.0)
    for each in reversed(ladder(properties(game).name)[: max(level, 1)]):
        if _plays(each, table):
            return f"builtin:{each}"
    raise bots.BuiltinError(f"no built-in bot up to level {level} plays this game")


def _plays(bot: str, table: bots.Table) -> bool:
    name, _, options = bot.partition("?")
    try:
        bots.make(name, dict(parse_qsl(options)), table)
    except bots.BuiltinError:
        return False
    return True
