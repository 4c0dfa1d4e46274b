"""Connect Four: stones fall to the foot of a column; four of one's own in a line win.

Source: the rules of Milton Bradley's game, with which OpenSpiel's `connect_four` agrees.

State:  int64[4]: the stones of player 0 and of player 1, plies so far, 1 once four are in a line.
        A column is 7 bits, its foot the lowest; the seventh stays empty and parts the columns.
Action: int, the column, 0 to 6.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core.interface import OVER, Properties, implements
from joute.core.random import below

COLUMNS, ROWS = 7, 6
HEIGHT = ROWS + 1  # bits of a column
PLIES, WON = 2, 3  # places in the state


class ConnectFour(NamedTuple):
    """The usual board of seven columns and six rows."""


@implements(ConnectFour)
def properties(game: ConnectFour) -> Properties:
    return Properties(
        name="connect-four", players=2, simultaneous=False, chance=False, hidden_information=False,
        zero_sum=True, max_actions=COLUMNS, max_legal=COLUMNS, max_outcomes=0,
        max_plies=COLUMNS * ROWS, lowest_return=-1.0, highest_return=1.0, version=1,
    )  # fmt: skip


@implements(ConnectFour)
def start(game: ConnectFour) -> np.ndarray:
    return np.zeros(4, np.int64)


@implements(ConnectFour)
def mover(game, state):
    return OVER if state[WON] or state[PLIES] == COLUMNS * ROWS else int(state[PLIES]) & 1


@implements(ConnectFour)
def legal(game, state, out):
    taken, count = state[0] | state[1], 0
    for column in range(COLUMNS):
        if not taken >> (HEIGHT * column + ROWS - 1) & 1:
            out[count] = column
            count += 1
    return count


@implements(ConnectFour)
def pick(game, state, out, rng):
    taken, column = state[0] | state[1], below(rng, COLUMNS)
    while taken >> (HEIGHT * column + ROWS - 1) & 1:
        column = below(rng, COLUMNS)
    return column


@implements(ConnectFour)
def mask(game, state, row, out):
    taken = state[0] | state[1]
    for column in range(COLUMNS):
        row[column] = not taken >> (HEIGHT * column + ROWS - 1) & 1


@implements(ConnectFour)
def play(game, state, action):
    player, foot = int(state[PLIES]) & 1, 1 << (HEIGHT * action)
    taken = int(state[0]) | int(state[1])
    # The lowest free cell of the column: the carry of an addition stops there.
    stone = (taken + foot) & ~taken & (foot << ROWS) - foot
    mine = int(state[player]) | stone
    state[player] = mine
    state[PLIES] += 1
    for way in (1, HEIGHT - 1, HEIGHT, HEIGHT + 1):
        pairs = mine & mine >> way
        if pairs & pairs >> 2 * way:
            state[WON] = 1


@implements(ConnectFour)
def returns(game, state, out):
    last = 1 - int(state[PLIES]) & 1
    out[last] = float(state[WON])
    out[1 - last] = -out[last]


@implements(ConnectFour)
def features_shape(game: ConnectFour) -> tuple[int, ...]:
    return (3, ROWS, COLUMNS)  # one's own stones, the other's, free cells; the top row first


@implements(ConnectFour)
def features(game, state, player, out):
    mine, others = int(state[player]), int(state[1 - player])
    for row in range(ROWS):
        for column in range(COLUMNS):
            cell, place = HEIGHT * column + row, (ROWS - 1 - row) * COLUMNS + column
            out[place] = float(mine >> cell & 1)
            out[ROWS * COLUMNS + place] = float(others >> cell & 1)
            out[2 * ROWS * COLUMNS + place] = 1.0 - float((mine | others) >> cell & 1)


@implements(ConnectFour)
def observe(game: ConnectFour, state: Any, player: int) -> dict[str, Any]:
    cells = [[HEIGHT * column + row for column in range(COLUMNS)] for row in reversed(range(ROWS))]
    marks = [
        "".join(
            "X" if state[0] >> cell & 1 else "O" if state[1] >> cell & 1 else "." for cell in row
        )
        for row in cells
    ]
    return {"rows": marks, "to_move": int(mover(game, state))}
