"""Othello: a stone shuts in lines of the other's stones, which turn; most stones win.

State:  int64[4]: the stones of player 0 and of player 1, cell 8 * row + column in that bit (63 is
        the sign), who is to move, or OVER, and the cells where they can.
Action: int, the cell; PASS where no stone can be placed.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core.arrays import lowest, popcount, wrapped
from joute.core.interface import OVER, Properties, implements, inline

PASS, MOST, MOVER, TARGETS = 64, 34, 2, 3  # an action, legal actions, places in the state
INNER = 0x7E7E7E7E7E7E7E7E  # all but the first and last column: lines do not run on round the edge
UP = ((1, INNER), (7, INNER), (8, -1), (9, INNER))  # shifts, and the cells that lines run over
WAYS = UP + tuple((-shift, cells) for shift, cells in UP)


class Othello(NamedTuple):
    """The usual board of 8 by 8."""


@implements(Othello)
def properties(game: Othello) -> Properties:
    return Properties("othello", 2, False, False, False, True, 65, MOST, 0, 128, -1.0, 1.0, 1)


@implements(Othello)
def start(game: Othello) -> np.ndarray:
    stones = 1 << 28 | 1 << 35, 1 << 27 | 1 << 36
    return np.array([*stones, 0, targets(*stones)])


@implements(Othello)
def mover(game, state):
    return int(state[MOVER])


@inline
def moved(word, shift):
    """The cells `shift` numbers on."""
    return wrapped(word << shift) if shift > 0 else word >> -shift & (1 << 64 + shift) - 1


@inline
def run(stones, over, shift):
    """The cells of `over` in an unbroken line from the stones."""
    line = moved(stones | moved(stones, shift) & over, shift) & over
    pairs = over & moved(over, shift)
    line |= moved(line, 2 * shift) & pairs
    return line | moved(line, 2 * shift) & pairs


@inline
def targets(mine, others):
    """The cells where a stone shuts in some of the other's."""
    found = 0
    for shift, cells in WAYS:
        found |= moved(run(mine, others & cells, shift), shift)
    return found & ~(mine | others)


@implements(Othello)
def legal(game, state, out):
    out[0], count, rest = PASS, 0, int(state[TARGETS])
    while rest:
        out[count] = lowest(rest)
        rest, count = wrapped(rest & (rest - 1)), count + 1
    return max(count, 1)


@implements(Othello)
def play(game, state, action):
    player = int(state[MOVER])
    mine, others = int(state[player]), int(state[1 - player])
    if action != PASS:
        stone = turned = wrapped(1 << action)
        for shift, cells in WAYS:
            line = run(stone, others & cells, shift)
            turned |= line if moved(line, shift) & mine else 0
        state[player] = mine = mine | turned
        state[1 - player] = others = others & ~turned
    state[TARGETS] = targets(others, mine)
    over = state[TARGETS] == 0 and targets(mine, others) == 0
    state[MOVER] = OVER if over else 1 - player


@implements(Othello)
def returns(game, state, out):
    lead = popcount(state[0]) - popcount(state[1])
    out[0], out[1] = np.sign(lead), np.sign(-lead)


@implements(Othello)
def observe(game: Othello, state: Any, player: int) -> dict[str, Any]:
    cells = [".XO"[(state[0] >> cell & 1) + 2 * (state[1] >> cell & 1)] for cell in range(64)]
    return {"rows": ["".join(cells[row : row + 8]) for row in range(0, 64, 8)]}
