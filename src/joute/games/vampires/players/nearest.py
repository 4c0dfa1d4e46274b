"""A bot for Vampires vs Werewolves: each group goes to the nearest humans that it can convert.

If it can convert none, it goes to the nearest enemies that it is sure to kill; if there are none,
away from the nearest enemies. Groups never split, and start a battle only where nothing else is
possible. A group stays while others of its own come to it; ties are drawn. Option: `stray`, the
share of its turns in which all its groups go anywhere, for a weaker opponent.
"""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from joute.bots import Choice, Seating, other_game, wrong_stray
from joute.core.random import below, generator, uniform
from joute.games.vampires.order import actions
from joute.games.vampires.state import HUMANS, MOST, VAMPIRES, Vampires, content

INTERPRETED = True  # no kernel is used

Group = tuple[int, int, int]
"""x, y, count."""
Cell = tuple[int, int]
T = TypeVar("T")


class NearestBot:
    """See the module."""

    def __init__(self, seat: Seating, stray: float = 0.0) -> None:
        self._stray = stray
        self._game = seat.game
        self._player = seat.player
        self._rng = generator(seat.seed)

    def play(self, state: np.ndarray) -> Choice:
        """A whole order."""
        groups: dict[int, list[Group]] = {}
        for y in range(self._game.rows):
            for x in range(self._game.columns):
                kind, count = content(self._game, state, x, y)
                groups.setdefault(kind, []).append((x, y, count))
        humans = groups.get(HUMANS, [])
        enemies = groups.get(VAMPIRES + 1 - self._player, [])
        moves: list[list[int]] = []
        coming: dict[Cell, int] = {}
        strays = self._stray > 0 and uniform(self._rng) < self._stray
        for x, y, count in groups[VAMPIRES + self._player]:
            if (x, y) in coming:
                continue
            left = {(move[0], move[1]) for move in moves}
            free = [
                cell
                for cell in self._around(x, y)
                if cell not in left and coming.get(cell, 0) + count <= MOST
            ]
            if free:
                group = (x, y, count)
                goal = self._any(free) if strays else self._goal(group, humans, enemies, free)
                moves.append([x, y, count, *goal])
                coming[goal] = coming.get(goal, 0) + count
        return Choice(actions(self._game, moves))

    def _goal(
        self, group: Group, humans: Sequence[Group], enemies: Sequence[Group], free: list[Cell]
    ) -> Cell:
        """The cell, of those that are free, where a group goes."""
        x, y, count = group
        strong = {(each[0], each[1]) for each in humans if each[2] > count}
        strong |= {(each[0], each[1]) for each in enemies if 3 * each[2] > 2 * count}
        free = [cell for cell in free if cell not in strong] or free
        convertible = [each for each in humans if each[2] <= count]
        beatable = [each for each in enemies if 3 * each[2] <= 2 * count]
        targets = convertible or beatable or enemies
        towards = 1 if convertible or beatable else -1
        nearest = min(_distance((x, y), each) for each in targets)
        aim = self._any([each for each in targets if _distance((x, y), each) == nearest])
        best = min(towards * _distance(cell, aim) for cell in free)
        return self._any([cell for cell in free if towards * _distance(cell, aim) == best])

    def _any(self, found: Sequence[T]) -> T:
        return found[below(self._rng, len(found))]

    def _around(self, x: int, y: int) -> list[Cell]:
        return [
            (x2, y2)
            for y2 in range(max(y - 1, 0), min(y + 2, self._game.rows))
            for x2 in range(max(x - 1, 0), min(x + 2, self._game.columns))
            if (x2, y2) != (x, y)
        ]


def make(seat: Seating, *, stray: float = 0.0) -> NearestBot:
    """The bot. Raises BuiltinError for another game, or for an option out of range."""
    if not isinstance(seat.game, Vampires):
        raise other_game("nearest", "vampires", seat)
    if not 0 <= stray <= 1:
        raise wrong_stray("nearest", stray)
    return NearestBot(seat, stray)


def _distance(cell: Cell, group: Group) -> int:
    """The turns from a cell to a group, at a cell a turn in any direction."""
    return max(abs(cell[0] - group[0]), abs(cell[1] - group[1]))
