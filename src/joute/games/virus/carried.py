"""A built-in bot as the function that the HX2 contest asks for, `ia(game, side)`.

The grid says all that the rules need: each call makes the state anew from it, so that nothing can
get out of step. The player does not pass while it can play: in the contest two passes in a row are
not the end, and it and an opponent that cannot play would pass for ever.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from joute.core.interface import play, start
from joute.core.registry import make
from joute.games.virus.hx2 import SIDES
from joute.games.virus.rules import MOVER, STONE
from joute.play.outside import OutsidePlayer

MOVE_SECONDS = 10.0  # of the contest
SIZE = 10  # of its grid
WARMING_SECONDS = 0.05


class Carried:
    """A bot of the HX2 contest; each game, and each side of one, gets a player of its own."""

    def __init__(
        self, bot: str, move_seconds: float = MOVE_SECONDS, seed: int | None = None
    ) -> None:
        """Loads what the players are made of, while no clock runs; `seed`: of their generators."""
        self._asked = bot, move_seconds, seed
        rules = _rules(SIZE)
        state = start(rules)
        play(rules, state, 0)  # chance says who starts
        OutsidePlayer(bot, rules, 0, WARMING_SECONDS, seed).choose(state.tolist())
        self._players: dict[str, OutsidePlayer] = {}
        self._plies: dict[str, int] = {}  # of the game, when a side was asked last

    def __call__(self, game: dict[str, Any], side: str) -> list[int] | bool:
        """The cell to play, as [row, column]; False to pass."""
        size, plies = len(game["grid"]), len(game["history"])
        if all(game["references"]["neutral"] not in row for row in game["grid"]):
            return False  # player_1 is asked once more when player_2 has filled the grid
        if plies <= self._plies.get(side, plies):
            bot, seconds, seed = self._asked
            rules, player = _rules(size), SIDES.index(side)
            self._players[side] = OutsidePlayer(bot, rules, player, seconds, seed)
        self._plies[side] = plies
        [action] = self._players[side].choose(state_of(game, side))
        return False if action == size * size else [*divmod(action, size)]


def state_of(game: dict[str, Any], side: str) -> list[int]:
    """The state that the contest's dictionary describes, where `side` is to move."""
    rules = _rules(len(game["grid"]))
    state = start(rules)
    play(rules, state, SIDES.index(side))
    state[:MOVER] = 0
    numbers = [game["references"][each] for each in SIDES]
    for cell, number in enumerate(np.ravel(game["grid"]).tolist()):
        if number in numbers:
            first = 2 * numbers.index(number)
            state[first : first + 2] |= STONE[rules.size, cell]
    values: list[int] = state.tolist()
    return values


def _rules(size: int) -> Any:
    return make("virus", size=size, voluntary_pass=False)
