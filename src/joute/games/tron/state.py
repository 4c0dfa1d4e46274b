"""The arena's state: where everything lies in it, and the parameters of a game.

State:  int16[CELLS + cells]: who chooses, rounds done, bikes alive, choices in, then by bike (eight
        places each) the head's cell, the direction chosen in this round (-1: none), the free
        directions as bits, the last direction of 0 to 3 that was taken (-1: none), the moves made,
        the place at the end (0 while alive), the cell it goes to; then the cells: 0 free, 1 + p the
        trail of bike p, CRASHED where several went out, WALL.
Action: a direction: 0 left, 1 up, 2 right, 3 down, 4 upstairs, 5 downstairs.
"""

from typing import NamedTuple

import numpy as np

MOVER, ROUND, ALIVE, PENDING = 0, 1, 2, 3  # places in the state
HEAD, CHOICE, OPEN, COURSE, MADE, PLACE = 8, 16, 24, 32, 40, 48  # of bike 0; bike p's is p further
GOAL = 56  # of bike 0: the cell it moves to, while a round is being resolved
CELLS = 64  # place of cell 0
WALL = 255
NONE = -1  # no choice, no course

SLOTS = 8  # entries of `neighbour` per cell
COUNT = np.array([word.bit_count() for word in range(64)], np.int8)
NTH = np.zeros(512, np.int8)  # NTH[8 * word + rank]: the bit of `word` with `rank` set bits below
for _word in range(64):
    for _rank, _bit in enumerate(bit for bit in range(6) if _word >> bit & 1):
        NTH[8 * _word + _rank] = _bit


class Tron(NamedTuple):
    """An arena of two to eight bikes."""

    players: int
    directions: int  # 4, or 6 where there are stairs
    turns: bool
    vanish: bool
    cells: int  # cell 0 included
    neighbour: np.ndarray  # int16[8 * cells]
    partner: np.ndarray  # int16[cells], the other end of a teleporter; 0 for none
    starts: np.ndarray  # int16[players]
    teams: int  # as many as there are players where each plays for himself
    team: np.ndarray  # int16[players], 0..teams - 1
    source: np.ndarray  # uint8, the settings as JSON
