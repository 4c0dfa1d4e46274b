"""Tron alone: one bike fills a room, and its moves are its score.

The rules are those of `tron`; this layout has nothing that only an arena needs.

Source: a workshop of an engineering school ("Tron", flat Monte Carlo in plain Python and NumPy).

State:  int16[CELLS + cells]: whether it is over, the head's cell, the moves made, the free
        directions as bits, the last direction of 0 to 3 that was taken (-1: none); then the cells:
        0 free, 1 taken, WALL.
Action: a direction, as in `tron`.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.games.arrays import index
from joute.games.interface import OVER, implements, inline
from joute.games.random import below
from joute.games.tron import COUNT, NTH, SLOTS, WALL
from joute.games.tron_text import Settings, TronBase, serve

ENDED, HEAD, MADE, OPEN, COURSE = 0, 1, 2, 3, 4  # places in the state
CELLS = 8  # place of cell 0
NONE = -1


class Solo(NamedTuple):
    """A room for one bike."""

    players: int
    directions: int  # 4, or 6 where there are stairs
    cells: int  # cell 0 included
    neighbour: np.ndarray  # int16[8 * cells]
    partner: np.ndarray  # int16[cells], the other end of a teleporter; 0 for none
    starts: np.ndarray  # int16[1]
    source: np.ndarray  # uint8, the settings as JSON


def solo(settings: Settings) -> Solo:
    """The game for one bike with these settings."""
    base = TronBase.of(settings)
    return Solo(
        players=1,
        directions=base.directions,
        cells=len(base.board.places),
        neighbour=base.board.neighbour,
        partner=base.board.partner,
        starts=np.array(base.starts, np.int16),
        source=base.source,
    )


@implements(Solo)
def start(game: Solo) -> np.ndarray:
    state = np.zeros(CELLS + game.cells, np.int16)
    state[CELLS] = WALL
    state[COURSE] = NONE
    state[HEAD] = game.starts[0]
    state[CELLS + int(game.starts[0])] = 1
    plain = state.tolist()
    _look(game, plain)
    return np.array(plain, np.int16)


@implements(Solo)
def mover(game, state):
    return OVER if state[ENDED] else 0


@implements(Solo)
def legal(game, state, out):
    free = int(state[OPEN])
    count = int(COUNT[index(free)])
    for rank in range(count):
        out[rank] = int(NTH[index(8 * free + rank)])
    return count


@implements(Solo)
def pick(game, state, out, rng):
    free = int(state[OPEN])
    return int(NTH[index(8 * free + below(rng, int(COUNT[index(free)])))])


@implements(Solo)
def play(game, state, action):
    cell = int(game.neighbour[index(SLOTS * int(state[HEAD]) + action)])
    if state[index(CELLS + cell)] != 0:
        state[ENDED] = 1
        return
    state[index(CELLS + cell)] = 1
    other_end = int(game.partner[index(cell)])
    if other_end != 0:
        state[index(CELLS + other_end)] = 1
    state[HEAD] = cell
    state[MADE] += 1
    if action < 4:
        state[COURSE] = action
    _look(game, state)


@inline
def _look(game, state):
    """Note where the bike can go; nowhere is the end."""
    row = SLOTS * int(state[HEAD])
    free = 0
    for direction in range(game.directions):
        cell = int(game.neighbour[index(row + direction)])
        free |= int(state[index(CELLS + cell)] == 0) << direction
    state[OPEN] = free
    state[ENDED] = int(free == 0)


@implements(Solo)
@inline
def points(game, state, player):
    return int(state[MADE])


@implements(Solo)
def returns(game, state, out):
    out[0] = float(int(state[MADE]))


@implements(Solo)
def fault_action(game, state, player):
    course = int(state[COURSE])
    return course if course >= 0 else int(NTH[index(8 * int(state[OPEN]))])


# What `tron_text` needs to know of this layout.


@implements(Solo)
def marks(game: Solo, state: Any) -> list[int]:
    return [int(mark) for mark in state[CELLS:]]


@implements(Solo)
def heads(game: Solo, state: Any) -> list[int]:
    return [int(state[HEAD])]


@implements(Solo)
def courses(game: Solo, state: Any) -> list[int]:
    return [int(state[COURSE])]


@implements(Solo)
def living(game: Solo, state: Any) -> list[int]:
    return [] if state[ENDED] else [0]


@implements(Solo)
def rounds(game: Solo, state: Any) -> int:
    return int(state[MADE])


serve(Solo)
