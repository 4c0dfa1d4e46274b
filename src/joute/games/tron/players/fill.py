"""A bot for Tron alone: it follows the longest path that it knows, and looks for longer ones.

Options: `rounds` of the search at its first turn (the same each time), and one at each later turn;
or `seconds` of it at every turn. A path that is proved to be the longest is followed to its end.
"""

from typing import Any

import numpy as np

from joute.bots import BuiltinError, Choice, Seating, refused
from joute.core.interface import points
from joute.games.tron.solo import Solo
from joute.games.tron.text import heads, marks
from joute.i18n.words import Sentence
from joute.search.fill import ROUNDS, Filler, Filling
from joute.search.graph import Graph

SHARE = 0.5  # of a turn's time at most
SHOWN = 20  # moves to come that it announces
NOTHING = 0, 0  # moves in all and at most, before any are told


class RoomFiller:
    """The filling search for the states of one room."""

    def __init__(self, game: Solo, seed: int = 0) -> None:
        self._game = game
        self._filler = Filler(graph_of(game), seed)
        self._filler.warm(int(game.starts[0]))

    def bound(self, state: Any) -> int:
        """No play of the game has more moves than this to come."""
        return self._filler.bound(*_place(self._game, state))

    def bound_by_parts(self, state: Any) -> int:
        """The same, by the parts of the room without a way back and their colours alone."""
        return self._filler.bound_by_parts(*_place(self._game, state))

    def fill(self, state: Any, **budget: Any) -> Filling:
        """The longest way to play on that it finds; `budget` is as in `Filler.fill`."""
        return self._filler.fill(*_place(self._game, state), **budget)

    def greedy(self, state: Any) -> Filling:
        """The path that the search begins with."""
        return self._filler.greedy(*_place(self._game, state))

    def reachable(self, state: Any) -> list[int]:
        """The cells that the bike may still get to, both ends of a pair among them."""
        return self._filler.reachable(*_place(self._game, state))


def _place(game: Solo, state: Any) -> tuple[np.ndarray, int]:
    """The cells that are taken, and the head."""
    return np.array(marks(game, state)) != 0, heads(game, state)[0]


def graph_of(game: Any) -> Graph:
    """The board of a game."""
    return Graph(game.directions, game.neighbour, game.partner)


class Course:
    """The path of one bike that no other can meet, searched for again at each of its turns."""

    def __init__(self, filler: Filler) -> None:
        self._filler = filler
        self._known = Filling([], [], 0)

    def follows(self, taken: np.ndarray, head: int) -> bool:
        """Whether a bike is where its path led it, and can go on; `taken` is bool[cells]."""
        cells = self._known.cells
        return cells[:1] == [head] and not taken[cells[1:]].any()

    def next(self, taken: np.ndarray, head: int, rounds: int, seconds: float | None) -> Filling:
        """The longest path from here; never a shorter one than what is left of the last.

        `taken` is bool[cells]. `rounds` are as in `FillBot`, and count without `seconds`.
        """
        known = self._known
        if self.follows(taken, head):
            rest, most = known.cells[1:], known.most - 1
            found = self._filler.fill(taken, head, min(rounds, 1), seconds, rest, most)
        else:
            found = self._filler.fill(taken, head, rounds, seconds)
        self._known = found
        return found


class FillBot:
    """See the module."""

    def __init__(self, seat: Seating, rounds: int, seconds: float | None) -> None:
        self._game = seat.game
        filler = Filler(graph_of(seat.game), seat.seed)
        filler.warm(int(seat.game.starts[0]))
        self._course = Course(filler)
        self._rounds = rounds
        self._seconds = seconds
        self._told = NOTHING

    def play(self, state: np.ndarray) -> Choice:
        """The next direction of its path."""
        here = state.tolist()
        place = _place(self._game, here)
        if not self._course.follows(*place):
            self._told = NOTHING
        found = self._course.next(*place, self._rounds, self._seconds)
        made = points(self._game, here, 0)
        told = made + len(found.cells), made + found.most
        message = "" if told == self._told else f"{told[0]} moves of at most {told[1]}"
        self._told = told
        line = tuple(found.directions[: SHOWN + 1])
        return Choice(found.directions[0], message, line=line)


def make(seat: Seating, *, rounds: int = ROUNDS, seconds: float = 0.0) -> FillBot:
    """The bot. Raises BuiltinError for a game it cannot play or an option out of range."""
    if not isinstance(seat.game, Solo):
        raise BuiltinError(Sentence("error.tron.alone", bot="fill"))
    if rounds < 0 or seconds < 0:
        raise refused("fill", Sentence("error.tron.rounds"))
    limit = min(seconds, SHARE * seat.move_seconds) if seconds else None
    return FillBot(seat, rounds, limit)
