"""What a choice is worth, by a yardstick that is neither of those who chose.

The judge takes all seats from the position on, in many deals of the cards that the player cannot
know, and plays the game to its end: once after each of two choices, both times with the same deals
and the same random numbers, so that most of what is chance is equal on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from joute import bots
from joute.core.interface import (
    CHANCE,
    OVER,
    determinize,
    draw,
    expand,
    mover,
    pending,
    play,
    properties,
    returns,
    start,
)
from joute.core.random import bits, generator
from joute.core.registry import card
from joute.search.playouts import playout_work, playouts

RANDOM = "random"  # the judge whose games are played by a kernel
WORLDS = 64  # deals of the unknown cards
GAMES = 16  # random games in each, after each choice


def usual_judge(game: str, compared: Sequence[str]) -> str:
    """The judge of a game; nobody is judged by himself."""
    judge = card(game).judge
    return RANDOM if judge in compared else judge


class Judge:
    """Weighs two choices. Raises BuiltinError for a bot that is none or cannot play the game."""

    def __init__(self, game: Any, name: str) -> None:
        self.name = name
        self._game = game
        facts = properties(game)
        self._range = facts.highest_return - facts.lowest_return
        self._players = range(facts.players)
        self._hidden = facts.hidden_information
        self._simultaneous = facts.simultaneous
        self._dtype = start(game).dtype
        self._outcomes = [0] * max(facts.max_outcomes, 1)
        self._weights = [0.0] * max(facts.max_outcomes, 1)
        self._work = playout_work(game)
        self._seated(0)

    def gain(
        self,
        state: Sequence[int],
        player: int,
        one: Sequence[int],
        other: Sequence[int],
        rng: np.ndarray,
    ) -> float:
        """How much better `one` is for the mover than `other`; 1 is a game won and not lost.

        Both are actions of one turn in `state`, the true one. Advances `rng` (uint64[2]).
        """
        total = 0.0
        for _ in range(WORLDS):
            world = list(state)
            if self._hidden or (self._simultaneous and pending(self._game, world) > 0):
                determinize(self._game, world, player, rng)
            seed = bits(rng)
            total += self._value(world, player, one, seed) - self._value(world, player, other, seed)
        return total / (WORLDS * self._range)

    def _value(self, state: list[int], player: int, actions: Sequence[int], seed: int) -> float:
        """The mean return of a player in games after these actions."""
        after = state.copy()
        for action in actions:
            play(self._game, after, action)
        if self.name == RANDOM:
            playouts(self._game, np.array(after, self._dtype), GAMES, generator(seed), self._work)
            return float(self._work.total[player]) / GAMES
        return self._played_on(after, player, seed)

    def _played_on(self, state: list[int], player: int, seed: int) -> float:
        """The return of a player in one game that the judge plays at all seats."""
        seats, chance = self._seated(seed), generator(seed)
        while (mine := int(mover(self._game, state))) != OVER:
            if mine == CHANCE:
                drawn = draw(self._game, state, self._outcomes, self._weights, chance)
                play(self._game, state, int(drawn))
                continue
            bot, view = seats[mine]
            choice = bot.play(np.array(view.of(state), self._dtype))
            for action in expand(self._game, state, choice.action):
                play(self._game, state, action)
        values = [0.0] * len(self._players)
        returns(self._game, state, values)
        return values[player]

    def _seated(self, seed: int) -> list[tuple[bots.Bot, bots.View]]:
        """The judge at each seat, with the view that it has from there."""
        tables = [bots.Table(self._game, each, seed + each, 1.0) for each in self._players]
        return [(bots.make(self.name, {}, table), bots.View(table)) for table in tables]
