"""Tron as planes for learners.

float32[7 * floors, height, width], rows from the top, each plane for every floor: the player's own
head; its trail; the heads of its side; the heads of the others; the trails of all others, and of
those who crashed; what is shut for ever, walls; 1 everywhere where the player still chooses. A bike
alone has the same planes. What others have chosen in the round is not in them.
"""

from typing import Any

from joute.core.arrays import index
from joute.core.interface import OVER, implements
from joute.games.tron.arena import CELLS, HEAD, MOVER, PLACE, Tron

PLANES = 7
OWN, OWN_TRAIL, SIDE, OTHERS, TRAILS, WALLS, CHOOSES = range(PLANES)


@implements(Tron, "features_shape")
def features_shape(game: Any) -> tuple[int, ...]:
    floors, height, width = map(int, game.shape)
    return (PLANES * floors, height, width)


@implements(Tron, "features")
def features(game, state, player, out):
    size = int(game.shape[0]) * int(game.shape[1]) * int(game.shape[2])
    alive = state[MOVER] != OVER and state[index(PLACE + player)] == 0
    chooses = 1.0 if alive and (not game.turns or state[MOVER] == player) else 0.0
    for spot in range(size):
        out[index(WALLS * size + spot)] = 1.0
        out[index(CHOOSES * size + spot)] = chooses
    for cell in range(1, game.cells):
        spot, sign = int(game.spots[index(cell)]), int(state[index(CELLS + cell)])
        out[index(WALLS * size + spot)] = 0.0
        if sign == player + 1:
            out[index(OWN_TRAIL * size + spot)] = 1.0
        elif sign != 0:
            out[index(TRAILS * size + spot)] = 1.0
    for bike in range(game.players):
        if state[index(PLACE + bike)] == 0:
            plane = OTHERS
            if bike == player:
                plane = OWN
            elif game.team[index(bike)] == game.team[index(player)]:
                plane = SIDE
            spot = int(game.spots[index(int(state[index(HEAD + bike)]))])
            out[index(plane * size + spot)] = 1.0
