"""A built-in bot as a program of the Google AI Challenge 2010: maps come in, directions go out.

The bot is bike 0, `1` on every map, and its enemy bike 1. Where the heads went tells what both have
chosen, so one game is followed from its first map to its last; a map that does not follow from the
one before begins a game of its own: trails are walls like any other.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, TextIO

from joute.core.errors import GameError
from joute.core.interface import legal_actions, mover, observe, play, start
from joute.core.registry import make
from joute.games.tron.adapters.google2010 import map_rows, walled
from joute.play.outside import OutsidePlayer

MOVE_SECONDS = 1.0  # of the contest, after the first
ANSWERS = {1: "1", 2: "2", 3: "3", 0: "4"}
"""The contest's digits by the direction of Tron: up, right, down, left."""
_STEPS = {(-1, 0): 0, (0, -1): 1, (1, 0): 2, (0, 1): 3}  # columns and rows from the top
LOST = "1"  # the answer where there is nothing to choose


def run(
    bot: str,
    move_seconds: float = MOVE_SECONDS,
    seed: int | None = None,
    maps: TextIO = sys.stdin,
    answers: TextIO = sys.stdout,
) -> None:
    """Answers each map of `maps` with a line on `answers`, until the input ends."""
    driver = Driver(bot, move_seconds, seed)
    driver.warm_up()
    for rows in read_maps(maps):
        print(driver.answer(rows), file=answers, flush=True)


def read_maps(lines: TextIO) -> Iterator[list[str]]:
    """The maps, as rows from the top; the last one is left out if it is not whole."""
    for line in lines:
        if not line.strip():
            continue
        width, height = map(int, line.split())
        rows = [lines.readline().rstrip("\r\n").ljust(width) for _ in range(height)]
        yield rows


class Driver:
    """A bot, and the game that it is in."""

    def __init__(self, bot: str, move_seconds: float, seed: int | None = None) -> None:
        self._asked = bot, move_seconds, seed
        self._player: OutsidePlayer | None = None
        self._game: Any = None
        self._state: list[int] = []

    def warm_up(self) -> None:
        """Loads all that the bot needs, while no clock runs."""
        bot, seconds, seed = self._asked
        game = make("tron")
        OutsidePlayer(bot, game, 0, seconds, seed).choose(start(game).tolist())

    def answer(self, rows: list[str]) -> str:
        """The digit of the bot's direction on this map."""
        if not self._followed(rows):
            try:
                self._begin(rows)
            except GameError:  # such as a head without a free cell around it
                return LOST
        if self._player is None or mover(self._game, self._state) != 0:
            return LOST
        [direction] = self._player.choose(self._state)
        return ANSWERS[direction]

    def _begin(self, rows: list[str]) -> None:
        self._player = None
        text = "\n".join([f"{len(rows[0])} {len(rows)}", *rows]) + "\n"
        self._game = make("tron", map=text)
        self._state = start(self._game).tolist()
        bot, seconds, seed = self._asked
        self._player = OutsidePlayer(bot, self._game, 0, seconds, seed)

    def _followed(self, rows: list[str]) -> bool:
        """Whether the map follows from the state, which is then the one of the map."""
        if self._player is None:
            return False
        state = self._state.copy()
        before = self._rows(state)
        for bike, sign in enumerate("12"):
            direction = _between(_place(before, sign), _place(rows, sign))
            if mover(self._game, state) == bike:
                if direction not in legal_actions(self._game, state):
                    return False
                play(self._game, state, direction)
        if self._rows(state) != rows:
            return False
        self._state = state
        return True

    def _rows(self, state: list[int]) -> list[str]:
        """The map of a state, of the size of those that come in."""
        seen = observe(self._game, state, 0)
        rows = map_rows(seen)
        return rows if walled(seen["floors"][0]) else [row[1:-1] for row in rows[1:-1]]


def _place(rows: list[str], sign: str) -> tuple[int, int]:
    """Column and row of a head; (-1, -1) if it is not there."""
    return next(((row.index(sign), at) for at, row in enumerate(rows) if sign in row), (-1, -1))


def _between(before: tuple[int, int], after: tuple[int, int]) -> int:
    """The direction of a step; -1 if it is none."""
    return _STEPS.get((after[0] - before[0], after[1] - before[1]), -1)
