"""Virus on a grid of cells, for sizes above those of the bit boards (and below, to compare).

Rules and actions are those of `virus`.

State: int16[size * size + 3]: each cell (-1 empty, else its player), then the empty cells left, who
       is to move, passes in a row.
"""

from typing import Any, NamedTuple

import numpy as np

from joute.core.interface import CHANCE, OVER, implements, inline
from joute.games.virus.text import serve

EMPTY = -1
LEFT, MOVER, PASSES = -3, -2, -1  # places in the state


class VirusGrid(NamedTuple):
    """Virus on a grid of cells: sizes 3 to 20."""

    size: int = 20
    voluntary_pass: bool = True


@implements(VirusGrid)
def start(game: VirusGrid) -> np.ndarray:
    area = game.size * game.size
    state = np.full(area + 3, EMPTY, np.int16)
    state[0] = state[area - 1] = 0
    state[game.size - 1] = state[area - game.size] = 1
    state[LEFT], state[MOVER], state[PASSES] = area - 4, CHANCE, 0
    return state


@implements(VirusGrid)
def mover(game, state):
    return int(state[MOVER])


@implements(VirusGrid)
def legal(game, state, out):
    count = 0
    for cell in range(game.size * game.size):
        if state[cell] == EMPTY and _touches(game, state, cell, state[MOVER]):
            out[count] = cell
            count += 1
    if game.voluntary_pass or count == 0:
        out[count] = game.size * game.size
        count += 1
    return count


@implements(VirusGrid)
def play(game, state, action):
    player = int(state[MOVER])
    if player == CHANCE:
        state[MOVER] = action
        return
    state[MOVER] = 1 - player
    if action == game.size * game.size:
        state[PASSES] += 1
        if state[PASSES] == 2:
            state[MOVER] = OVER
        return
    state[PASSES] = 0
    state[action] = player
    row, column = action // game.size, action % game.size
    for near_row in range(max(row - 1, 0), min(row + 2, game.size)):
        for near_column in range(max(column - 1, 0), min(column + 2, game.size)):
            near = near_row * game.size + near_column
            if state[near] == 1 - player:
                state[near] = player
    state[LEFT] -= 1
    if state[LEFT] == 0:
        state[MOVER] = OVER


@implements(VirusGrid)
def chances(game, state, out, weights):
    out[0], out[1] = 0, 1
    weights[0] = weights[1] = 0.5
    return 2


@implements(VirusGrid)
def returns(game, state, out):
    lead = points(game, state, 0) - points(game, state, 1)
    out[0] = (lead > 0) - (lead < 0)
    out[1] = -out[0]


@implements(VirusGrid)
@inline
def points(game, state, player):
    count = 0
    for cell in range(game.size * game.size):
        if state[cell] == player:
            count += 1
    return count


@implements(VirusGrid)
def fault_action(game, state, player):
    return game.size * game.size


@inline
def _touches(game, state, cell, player):
    row, column = cell // game.size, cell % game.size
    for near_row in range(max(row - 1, 0), min(row + 2, game.size)):
        for near_column in range(max(column - 1, 0), min(column + 2, game.size)):
            if state[near_row * game.size + near_column] == player:
                return True
    return False


@implements(VirusGrid)
def grid(game: VirusGrid, state: Any) -> str:
    return "".join(".01"[int(cell) + 1] for cell in state[: game.size * game.size])


serve(VirusGrid)
