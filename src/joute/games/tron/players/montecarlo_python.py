"""Flat Monte Carlo in plain Python, as the Tron workshop writes it first; for Tron alone.

Source: a workshop of an engineering school ("Tron"): a room for one bike, flat Monte Carlo in plain
Python and vectorised with NumPy (`montecarlo_numpy`, which shares the bot and the grid of this
module). Its algorithms, written anew, except that numbers are drawn from generators of their own.

The grid is indexed [x, y] from the bottom left, with walls around; 0 is a free cell.

Option: `simulations`, random games after each move.
"""

import random
from collections.abc import Callable
from typing import Any

import numpy as np

from joute.bots import BuiltinError, Choice, Seating, refused
from joute.core.interface import points, properties
from joute.games.tron.adapters.workshop import MOVES, Game
from joute.games.tron.solo import Solo
from joute.games.tron.text import DIRECTIONS, chart_of, heads, marks, settings_of
from joute.i18n.words import Sentence

WALL, TRAIL = 1, 2


def check(name: str, game: Any) -> None:
    """Raises BuiltinError unless the workshop's grid can hold a game, for the bot of this name."""
    why = None
    if not isinstance(game, Solo):
        facts = properties(game)
        why = Sentence("error.tron.not_alone", bot=name, game=facts.name, players=facts.players)
    else:
        settings = settings_of(game)
        floors = len(chart_of(settings)[0].floors)
        if floors > 1:
            why = Sentence("error.tron.one_floor", bot=name, floors=floors)
        elif settings.wrap != "none":
            why = Sentence("error.tron.edges", bot=name, wrap=settings.wrap)
        elif game.partner.any():
            why = Sentence("error.tron.teleporters", bot=name)
    if why:
        raise BuiltinError(why)


def workshop_game(game: Solo, state: Any) -> Game:
    """The workshop's `Game` for a state."""
    chart, board = chart_of(settings_of(game))
    grid = np.full((chart.width + 2, chart.height + 2), WALL, np.int8)
    for cell, mark in enumerate(marks(game, state)):
        x, y, _ = board.places[cell]
        if cell:
            grid[x + 1, y + 1] = TRAIL if mark else 0
    x, y, _ = board.places[heads(game, state)[0]]
    return Game(grid, x + 1, y + 1, int(points(game, state, 0)))


def possible_moves(game: Game) -> list[tuple[int, int]]:
    """The (dx, dy) that lead to a free cell: `DirectionsPossibles`."""
    x, y = game.PlayerX, game.PlayerY
    return [(dx, dy) for dx, dy in MOVES if game.Grille[x + dx, y + dy] == 0]


Total = Callable[[Game, int], int]
"""The cells travelled in so many random games from a `Game`."""


class WorkshopBot:
    """Weighs each move by random games and plays the one with the most cells travelled.

    Raises BuiltinError for a game that it cannot play or too few simulations.
    """

    def __init__(self, name: str, game: Any, total: Total, simulations: int) -> None:
        check(name, game)
        if simulations < 1:
            wanted = Sentence("error.tron.simulations", simulations=simulations)
            raise refused(name, wanted)
        self._game = game
        self._total = total
        self._simulations = simulations

    def play(self, state: np.ndarray) -> Choice:
        """The best direction."""
        means = self.weigh(state)
        best = max(means, key=lambda direction: means[direction])
        order = sorted(means, key=lambda direction: -means[direction])
        words = ", ".join(f"{DIRECTIONS[each]} {means[each]:.2f}" for each in order)
        return Choice(best, f"means of {self._simulations} games: {words}")

    def weigh(self, state: Any) -> dict[int, float]:
        """The mean number of moves that a whole game has, by the direction it goes on with."""
        root = workshop_game(self._game, state)
        means = {}
        for dx, dy in possible_moves(root):
            after = root.copy()
            after.Grille[after.PlayerX, after.PlayerY] = TRAIL
            after.PlayerX += dx
            after.PlayerY += dy
            after.Score += 1
            total = self._total(after, self._simulations)
            means[MOVES.index((dx, dy))] = after.Score + total / self._simulations
        return means


def make(seat: Seating, *, simulations: int = 100) -> WorkshopBot:
    """The bot. Raises BuiltinError for a game it cannot play or an option out of range."""
    rng = random.Random(seat.seed)

    def total(game: Game, count: int) -> int:
        return monte_carlo(game, count, rng)

    return WorkshopBot("montecarlo-python", seat.game, total, simulations)


def simulate(game: Game, rng: random.Random) -> int:
    """Plays a random game to its end, in `game`; the cells travelled: `SimulationPartie`."""
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
