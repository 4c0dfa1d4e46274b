"""Vampires vs Werewolves as planes for learners.

float32[8, rows, columns]: the player's own units, the other's, and the humans, in parts of 255;
the cells that units of the order in progress leave, and how many arrive where, in parts of 255;
everywhere: 1 where the player is to act, the part of the turns that is over, 1 for the vampires.
"""

from joute.core.arrays import index
from joute.core.interface import implements, mover
from joute.games.vampires.state import (
    HUMANS,
    KIND,
    MOST,
    SOURCE,
    TURNS,
    VAMPIRES,
    Vampires,
    first_cell,
)

PLANES = 8


@implements(Vampires)
def features_shape(game: Vampires) -> tuple[int, ...]:
    return (PLANES, game.rows, game.columns)


@implements(Vampires)
def features(game, state, player, out):
    cells = game.rows * game.columns
    moves, over = (
        (1.0 if mover(game, state) == player else 0.0),
        float(state[TURNS]) / max(game.plies, 1),
    )
    first = first_cell(game)
    for row in range(game.rows):
        for column in range(game.columns):
            place = row * game.columns + column
            inside = (row + 1) * game.stride + column + 1
            held = int(state[index(first + inside)])
            kind, count = held // KIND, float(held % KIND) / MOST
            done = int(state[index(first + game.size + inside)])
            out[index(place)] = count if kind == VAMPIRES + player else 0.0
            out[index(cells + place)] = count if kind == VAMPIRES + 1 - player else 0.0
            out[index(2 * cells + place)] = count if kind == HUMANS else 0.0
            out[index(3 * cells + place)] = 1.0 if done == SOURCE else 0.0
            out[index(4 * cells + place)] = float(done) / MOST if done > 0 else 0.0
            out[index(5 * cells + place)] = moves
            out[index(6 * cells + place)] = min(over, 1.0)
            out[index(7 * cells + place)] = 1.0 if player == 0 else 0.0
