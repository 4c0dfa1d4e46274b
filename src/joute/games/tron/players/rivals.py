"""Whom a bike of Tron's arena has to do with: the nearest of the others, as a duel of the two.

The duel is a game of two bikes on the same board, this one the first of them. What is a wall in the
arena is one in it; the rest stand where they are.
"""

from typing import Any

import numpy as np

from joute.core.arrays import index
from joute.core.compiled import kernel
from joute.core.interface import parameters
from joute.core.registry import make
from joute.games.tron.state import (
    ALIVE,
    CELLS,
    CHOICE,
    COURSE,
    HEAD,
    MOVER,
    NONE,
    OPEN,
    PENDING,
    PLACE,
    ROUND,
    SLOTS,
    WALL,
    Tron,
)

FAR = 1 << 29  # a distance beyond every other, also of two in a row
MOST_BIKES = 8


@kernel
def distances(game: Any, state: np.ndarray, head: int, out: np.ndarray, queue: np.ndarray) -> None:
    """Write the moves from a head to each free cell, if nobody else moved; FAR to the others."""
    for cell in range(out.size):
        out[cell] = FAR
    queue[0] = head
    out[index(head)] = 0
    done, found = 0, 1
    while done < found:
        cell = int(queue[index(done)])
        done += 1
        for direction in range(game.directions):
            to = int(game.neighbour[index(SLOTS * cell + direction)])
            if to != 0 and state[index(CELLS + to)] == 0 and out[index(to)] == FAR:
                out[index(to)] = out[index(cell)] + 1
                queue[index(found)] = to
                found += 1
    out[index(head)] = FAR


class Rivals:
    """The others of an arena, as one player looks at them."""

    def __init__(self, game: Tron, player: int) -> None:
        self._game = game
        self._player = player
        self._side = int(game.team[player])
        self._mine = np.zeros(game.cells, np.int32)  # the distances of this bike, and
        self._his = np.zeros(game.cells, np.int32)  # of another
        self._queue = np.zeros(game.cells, np.int32)

    def first(self) -> tuple[Any, np.ndarray]:
        """The duel's game, in which each sees the choices of a round before his; and a state."""
        values = {**parameters(self._game), "order": "turns", "players": 2, "teams": []}
        duel = make("tron", **{**values, "rotation": 0})._replace(turns=self._game.turns)
        # Both move at once all the same.
        state = np.zeros(CELLS + self._game.cells, np.int16)
        state[CELLS] = WALL
        heads = self._game.starts[[self._player, (self._player + 1) % self._game.players]]
        return duel, self._state(state, [int(head) for head in heads])

    def nearest(self, state: np.ndarray) -> int | None:
        """The rival with the shortest way to where this bike may go; None if nobody can come."""
        mine, his = self._mine, self._his
        distances(self._game, state, int(state[HEAD + self._player]), mine, self._queue)
        best, rival = FAR, None
        for bike in range(self._game.players):
            if bike == self._player or state[PLACE + bike] != 0:
                continue
            distances(self._game, state, int(state[HEAD + bike]), his, self._queue)
            far = min(int((mine + his).min()), FAR)
            if self._game.team[bike] == self._side and far < FAR:
                far += FAR // 2
            if far < best:
                best, rival = far, bike
        return rival

    def duel(self, state: np.ndarray, rival: int) -> np.ndarray:
        """The duel with a rival, this bike to move."""
        known = np.zeros(state.size, np.int16)
        cells = state[CELLS:]
        known[CELLS:][cells != 0] = WALL
        known[ROUND] = state[ROUND]
        return self._state(known, [int(state[HEAD + bike]) for bike in (self._player, rival)])

    def _state(self, state: np.ndarray, heads: list[int]) -> np.ndarray:
        """Put two bikes into a state that has nothing but cells."""
        state[ALIVE] = 2
        for bike, head in enumerate(heads):
            state[HEAD + bike] = head
            state[CELLS + head] = 1 + bike
        for bike, head in enumerate(heads):
            row = self._game.neighbour[SLOTS * head : SLOTS * head + self._game.directions]
            state[OPEN + bike] = sum(
                1 << direction for direction, to in enumerate(row) if state[CELLS + to] == 0
            )
        state[CHOICE : CHOICE + 2] = state[COURSE : COURSE + 2] = NONE
        return state

    def opened(self, state: np.ndarray) -> np.ndarray:
        """The state as it was before the choices that others have made unseen in this round."""
        known = state.copy()
        if not self._game.turns:
            known[CHOICE : CHOICE + MOST_BIKES] = NONE
            known[PENDING] = 0
            known[MOVER] = np.flatnonzero(state[OPEN : OPEN + self._game.players])[0]
        return known

    def others(self, state: np.ndarray, rival: int) -> list[int]:
        """The heads of the bikes that are neither this one nor the rival."""
        return [
            int(state[HEAD + bike])
            for bike in range(self._game.players)
            if bike not in (self._player, rival) and state[PLACE + bike] == 0
        ]
