"""A bot for Tron alone: it finds a path that fills as much of the room as it can, and follows it.

Options: `rounds` of the search (the same each time), or `seconds` of it. It searches at its first
turn, and again only if it was led off its path.
"""

from typing import Any

import numpy as np

from joute.bots import BuiltinError, Choice, Seating, refused
from joute.core.interface import play
from joute.games.tron.solo import Solo
from joute.games.tron.text import heads, marks
from joute.i18n.words import Sentence
from joute.search.fill import ROUNDS, Filler, Filling
from joute.search.graph import Graph

SHARE = 0.5  # of a turn's time at most
SHOWN = 20  # moves to come that it announces


class RoomFiller:
    """The filling search for the states of one room."""

    def __init__(self, game: Solo, seed: int = 0) -> None:
        self._game = game
        self._filler = Filler(Graph(game.directions, game.neighbour, game.partner), seed)
        self._filler.warm(int(game.starts[0]))

    def bound(self, state: Any) -> int:
        """No play of the game has more moves than this to come."""
        return self._filler.bound(*self._place(state))

    def bound_by_parts(self, state: Any) -> int:
        """The same, by the parts of the room without a way back and their colours alone."""
        return self._filler.bound_by_parts(*self._place(state))

    def fill(self, state: Any, **budget: Any) -> Filling:
        """The longest way to play on that it finds; `budget` is as in `Filler.fill`."""
        return self._filler.fill(*self._place(state), **budget)

    def reachable(self, state: Any) -> list[int]:
        """The cells that the bike may still get to, both ends of a pair among them."""
        return self._filler.reachable(*self._place(state))

    def _place(self, state: Any) -> tuple[np.ndarray, int]:
        """The cells that are taken, and the head."""
        return np.array(marks(self._game, state)) != 0, heads(self._game, state)[0]


class FillBot:
    """See the module."""

    def __init__(self, table: Seating, rounds: int, seconds: float | None) -> None:
        self._game = table.game
        self._filler = RoomFiller(table.game, table.seed)
        self._rounds = rounds
        self._seconds = seconds
        self._plan: list[int] = []  # the coming directions, the last one first
        self._expected: list[int] = []  # the state in which the plan goes on
        self._message = ""

    def play(self, state: np.ndarray) -> Choice:
        """The next direction of its path."""
        here = state.tolist()
        if not self._plan or here != self._expected:
            found = self._filler.fill(here, rounds=self._rounds, seconds=self._seconds)
            self._plan = found.directions[::-1]
            self._message = f"{len(self._plan)} moves of at most {found.most}"
        direction = self._plan.pop()
        play(self._game, here, direction)
        self._expected = here
        message, self._message = self._message, ""
        line = (direction, *self._plan[: -SHOWN - 1 : -1])
        return Choice(direction, message, line=line)


def make(table: Seating, *, rounds: int = ROUNDS, seconds: float = 0.0) -> FillBot:
    """The bot. Raises BuiltinError for a game it cannot play or an option out of range."""
    if not isinstance(table.game, Solo):
        raise BuiltinError(Sentence("error.tron.alone", bot="fill"))
    if rounds < 0 or seconds < 0:
        raise refused("fill", Sentence("error.tron.rounds"))
    limit = min(seconds, SHARE * table.move_seconds) if seconds else None
    return FillBot(table, rounds, limit)
