"""Flat Monte Carlo on a graphics card, a thread for each random game; for Tron alone.

The Tron workshop names this next step: its form with NumPy plays all games at once, as the cores of
a card do. The card is one of NVIDIA's, programmed by Numba's CUDA (the extra `cuda`); for tests
there is Numba's simulator, which is slow (NUMBA_ENABLE_CUDASIM=1).

Every thread draws from a generator of its own: G. Marsaglia, "Xorshift RNGs" (2003), of 32 bits.

Option: `simulations`, random games after each move.
"""

from functools import cache

import numpy as np
from numba import cuda

from joute.bots import BuiltinError, Seating
from joute.games.tron.adapters.workshop import Game
from joute.games.tron.players.montecarlo_python import TRAIL, WorkshopBot
from joute.i18n.words import Sentence

THREADS = 128  # of a block
WORD = 0xFFFF_FFFF  # the bits of a draw
MOST_SAID = 200  # characters of what the card's driver says


def make(seat: Seating, *, simulations: int = 10_000) -> WorkshopBot:
    """The bot. Raises BuiltinError for a game it cannot play, an option out of range, no card."""
    rng = np.random.default_rng(seat.seed)

    def total(game: Game, count: int) -> int:
        return int(simulate_on_card(game, count, rng).sum())

    bot = WorkshopBot("montecarlo-cuda", seat.game, total, simulations)
    _get_ready()
    return bot


@cache
def _get_ready() -> None:
    """Compiles what the card executes, once in a process: no turn pays for it."""
    walls = Game(np.full((3, 3), TRAIL, np.int8), 1, 1, 0)
    try:
        simulate_on_card(walls, 1, np.random.default_rng(0))
    except Exception as error:  # of the driver, the toolkit or the compiler, by many names
        reason = " ".join(str(error).split())[:MOST_SAID] or type(error).__name__
        raise BuiltinError(Sentence("error.tron.no_card", reason=reason)) from None


def simulate_on_card(game: Game, count: int, rng: np.random.Generator) -> np.ndarray:
    """The cells travelled in each of `count` random games from this one, int32[count]."""
    scores = cuda.to_device(np.zeros(count, np.int32))
    seeds = cuda.to_device(rng.integers(1, WORD, count))
    grid = cuda.to_device(np.ascontiguousarray(game.Grille))
    # The games of one thread and the next lie side by side, which a card reads at once.
    grids = cuda.device_array((*game.Grille.shape, count), np.int8)
    blocks = -(-count // THREADS)
    _random_games[blocks, THREADS](grid, game.PlayerX, game.PlayerY, seeds, grids, scores)
    return np.asarray(scores.copy_to_host())


@cuda.jit
def _random_games(grid, x, y, seeds, grids, scores):
    """Plays the game of this thread, and leaves the cells travelled."""
    game = cuda.grid(1)
    if game >= scores.size:
        return
    for column in range(grid.shape[0]):
        for row in range(grid.shape[1]):
            grids[column, row, game] = grid[column, row]
    drawn, travelled = seeds[game], 0
    while True:
        grids[x, y, game] = TRAIL
        left = int(grids[x - 1, y, game] == 0)
        up = int(grids[x, y + 1, game] == 0)
        right = int(grids[x + 1, y, game] == 0)
        down = int(grids[x, y - 1, game] == 0)
        choices = left + up + right + down
        if choices == 0:
            break
        drawn ^= (drawn << 13) & WORD
        drawn ^= drawn >> 17
        drawn ^= (drawn << 5) & WORD
        chosen = drawn % choices  # the number of the free cell that it goes to
        if chosen < left:
            x -= 1
        elif chosen < left + up:
            y += 1
        elif chosen < left + up + right:
            x += 1
        else:
            y -= 1
        travelled += 1
    scores[game] = travelled
