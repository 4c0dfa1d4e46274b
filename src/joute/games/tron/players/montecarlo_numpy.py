"""Flat Monte Carlo with NumPy, all random games at once, as the Tron workshop describes it.

For Tron alone. Option: `simulations`, random games after each move.
"""

import numpy as np

from joute.bots import Seating
from joute.games.tron.adapters.workshop import Game
from joute.games.tron.players.montecarlo_python import TRAIL, WorkshopBot

# A direction more than there are, for the games that are over: to stay.
DX = np.array([0, -1, 0, 1, 0], dtype=np.int8)
DY = np.array([0, 0, 1, 0, -1], dtype=np.int8)
LCM = 12  # of 1, 2, 3 and 4: a draw below it, modulo the choices there are, is fair to each


def make(seat: Seating, *, simulations: int = 1000) -> WorkshopBot:
    """The bot. Raises BuiltinError for a game it cannot play or an option out of range."""
    rng = np.random.RandomState(seat.seed & 0xFFFF_FFFF)

    def total(game: Game, count: int) -> int:
        return int(simulate_all(game, count, rng).sum())

    return WorkshopBot("montecarlo-numpy", seat.game, total, simulations)


def simulate_all(game: Game, count: int, rng: np.random.RandomState) -> np.ndarray:
    """The cells travelled in each of `count` random games from this one, int64[count].

    All games advance together; those that are over stay where they are.
    """
    grids = np.tile(game.Grille, (count, 1, 1))
    x = np.tile(game.PlayerX, count)
    y = np.tile(game.PlayerY, count)
    scores = np.zeros(count, dtype=np.int64)
    games = np.arange(count)
    before = -1
    while (total := int(np.sum(scores))) != before:
        before = total
        grids[games, x, y] = TRAIL
        possible = np.zeros((count, 4), dtype=np.int32)
        choices = np.zeros(count, dtype=np.int32)
        for direction in range(1, 5):
            free = (grids[games, x + DX[direction], y + DY[direction]] == 0) * 1
            # Where it is not free the entry is overwritten, or stays 0: to stay.
            possible[games, choices] = direction * free
            choices += free
        scores += choices > 0
        choices[choices == 0] = 1
        chosen = possible[games, rng.randint(LCM, size=count) % choices]
        x += DX[chosen]
        y += DY[chosen]
    return scores
