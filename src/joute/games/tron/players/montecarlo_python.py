"""Flat Monte Carlo in plain Python, as the Tron workshop writes it first; for Tron alone.

Option: `simulations`, random games after each move.
"""

import random

from joute.bots import Table
from joute.games.tron.players.workshop import TRAIL, Game, WorkshopBot, possible_moves


def make(seat: Table, *, simulations: int = 100) -> WorkshopBot:
    """The bot. Raises BuiltinError for a game it cannot play or an option out of range."""
    rng = random.Random(seat.seed)

    def total(game: Game, count: int) -> int:
        return monte_carlo(game, count, rng)

    return WorkshopBot("montecarlo-python", seat.game, total, simulations)


def simulate(game: Game, rng: random.Random) -> int:
    """Play a random game to its end, in `game`; the cells travelled: `SimulationPartie`."""
    travelled = 0
    while True:
        moves = possible_moves(game)
        if not moves:
            return travelled
        dx, dy = moves[rng.randrange(len(moves))]
        game.Grille[game.PlayerX, game.PlayerY] = TRAIL
        game.PlayerX += dx
        game.PlayerY += dy
        travelled += 1


def monte_carlo(game: Game, count: int, rng: random.Random) -> int:
    """The cells travelled in `count` random games from this one: `MonteCarlo`."""
    total = 0
    for _ in range(count):
        total += simulate(game.copy(), rng)
    return total
