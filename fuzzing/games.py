"""Small games of each kind, that targets play: short ones, between bots that are quick."""

from __future__ import annotations

from functools import cache
from typing import Any

from joute.play.chance import derive
from joute.play.game import GameResult, GameSpec, SeatSpec, usual_costs
from joute.play.referee import play_game

ROOM = "tron 1\nname room\nsize 7 5 1\nfloor 0\n#######\n#1    #\n#     #\n#    2#\n#######\nend\n"
VILLAGE = (
    '<Map Columns="5" Rows="3"><Humans X="2" Y="0" Count="2"/>'
    '<Vampires X="1" Y="1" Count="4"/><Werewolves X="3" Y="1" Count="4"/></Map>'
)

GAMES: tuple[tuple[str, dict[str, Any], tuple[str, ...]], ...] = (
    ("virus", {"size": 4}, ("greedy", "random")),
    ("tron", {"map": ROOM}, ("random", "random")),
    ("vampires", {"map": VILLAGE, "plies": 6}, ("nearest", "nearest")),
    ("love-letter", {"players": 3, "tokens": 1}, ("rules", "rules", "random")),
    ("paradise", {}, ("face", "random")),
)
"""A game, its parameters, and who sits at its seats."""


def spec(number: int, **values: Any) -> GameSpec:
    """The game of that number in GAMES, as it is to be played."""
    game, parameters, bots = GAMES[number]
    seats = tuple(
        SeatSpec(name=f"{bot} {seat}", bot=f"builtin:{bot}") for seat, bot in enumerate(bots)
    )
    return GameSpec(
        game=game,
        parameters=parameters,
        bots=seats,
        seed=derive("fuzzing", number),
        costs=usual_costs(game),
        **values,
    )


@cache
def played(number: int, **values: Any) -> GameResult:
    """The game of that number, played by its bots."""
    return play_game(spec(number, **values))
