"""Virus as planes for learners.

float32[4, size, size]: the player's own stones; the other's; 1 everywhere where the player is to
act; 1 everywhere where the last action was a pass. The same for both players, who see each other's
places exchanged.
"""

from joute.core.arrays import index
from joute.core.interface import implements
from joute.games.virus.rules import (
    EMPTY,
    GRID_MOVER,
    GRID_PASSES,
    MOVER,
    PASSES,
    ROWS,
    STRIDE,
    Virus,
    VirusGrid,
)

PLANES = 4


@implements(Virus, "features_shape")
@implements(VirusGrid, "features_shape")
def features_shape(game: Virus | VirusGrid) -> tuple[int, ...]:
    return (PLANES, game.size, game.size)


@implements(Virus, "features")
def features(game, state, player, out):
    size = game.size
    cells = size * size
    moves, passed = (1.0 if state[MOVER] == player else 0.0), (1.0 if state[PASSES] > 0 else 0.0)
    for row in range(size):
        word, first = row // ROWS, STRIDE * (row % ROWS)
        own = int(state[index(2 * player + word)]) >> first
        other = int(state[index(2 - 2 * player + word)]) >> first
        for column in range(size):
            place = row * size + column
            out[index(place)] = float(own >> column & 1)
            out[index(cells + place)] = float(other >> column & 1)
            out[index(2 * cells + place)] = moves
            out[index(3 * cells + place)] = passed


@implements(VirusGrid, "features")
def _grid_features(game, state, player, out):
    cells = game.size * game.size
    moves, passed = (
        (1.0 if state[GRID_MOVER] == player else 0.0),
        (1.0 if state[GRID_PASSES] > 0 else 0.0),
    )
    for place in range(cells):
        stone = int(state[index(place)])
        out[index(place)] = 1.0 if stone == player else 0.0
        out[index(cells + place)] = 1.0 if stone not in (player, EMPTY) else 0.0
        out[index(2 * cells + place)] = moves
        out[index(3 * cells + place)] = passed
