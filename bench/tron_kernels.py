"""Tron alone: random games in Numba, C, NumPy and Python, and flat Monte Carlo over a game."""

import ctypes
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from bench.against_c import (
    DifferenceError,
    NoCompilerError,
    alternate,
    compared_row,
    compiled,
)
from bench.rows import Row
from joute.core.interface import OVER, mover, play, start
from joute.core.random import generator
from joute.core.registry import make
from joute.games.tron.players.montecarlo_numpy import simulate_all
from joute.games.tron.players.montecarlo_python import monte_carlo, workshop_game
from joute.search.flat import FlatMonteCarlo
from joute.search.playouts import lanes, playout_work

SOURCE = Path(__file__).with_name("tron.c")
GAMES = 1_000_000  # in a round: an eighth of a second
CHECKED_GAMES = 5000
NUMPY_GAMES = 10_000  # at a time
PYTHON_GAMES = 1000
ROUNDS = 7  # against NumPy and Python, which are slow
SIMULATIONS = 10_000  # per candidate move
NUMPY_AIM, LIMIT_MS = 130, 20


class Rules(ctypes.Structure):
    """`rules` of tron.c."""

    _fields_ = [
        ("directions", ctypes.c_int64),
        ("width", ctypes.c_int64),
        ("beside", ctypes.c_void_p),
        ("pair", ctypes.c_void_p),
    ]


class SoloC:
    """Random games alone in C. Raises NoCompilerError if `cc` is missing or refuses."""

    def __init__(self, compiler: str = "cc") -> None:
        self._lanes = compiled(SOURCE, compiler).lanes
        pointer, whole = ctypes.c_void_p, ctypes.c_int64
        self._lanes.restype = whole
        self._lanes.argtypes = [
            ctypes.POINTER(Rules), pointer, whole, whole, pointer, pointer, pointer
        ]  # fmt: skip

    def lanes(self, game: Any, root: np.ndarray, count: int, rng: np.ndarray, room: Any) -> int:
        """As `joute.search.playouts.lanes`, for states of one byte a word."""
        if root.dtype != np.uint8:
            raise ValueError(f"states of tron.c are of uint8, got {root.dtype}")
        rules = Rules(game.directions, game.width, game.beside.ctypes.data, game.pair.ctypes.data)
        moves: int = self._lanes(
            rules, root.ctypes.data, root.size, count, rng.ctypes.data, room.states.ctypes.data,
            room.total.ctypes.data,
        )  # fmt: skip
        return moves


def check_lanes(native: SoloC, game: Any, root: np.ndarray, count: int, seed: int = 1) -> None:
    """Raises DifferenceError unless both play the same random games."""
    ours, theirs = generator(seed), generator(seed)
    mine, others = playout_work(game), playout_work(game)
    moves = lanes(game, root, count, ours, mine)
    native_moves = native.lanes(game, root, count, theirs, others)
    found = (int(moves), mine.total.tolist(), ours.tolist())
    expected = (native_moves, others.total.tolist(), theirs.tolist())
    if found != expected:
        raise DifferenceError(f"random games of Tron alone: Numba {found}, C {expected}")


def native_row(native: SoloC | None, game: Any, why: str = "") -> Row:
    """Random games a second from the first state; without C, `why` there is none."""
    root, room = start(game), playout_work(game)
    ours, theirs = generator(1), generator(1)
    count = GAMES

    def native_lanes() -> None:
        if native is not None:
            native.lanes(game, root, count, theirs, room)

    lanes(game, root, 1, ours, room)
    if native is not None:
        check_lanes(native, game, root, CHECKED_GAMES)
    taken = alternate(lambda: lanes(game, root, count, ours, room), native_lanes)
    return compared_row("solo playouts, interleaved", count, "games/s", taken, bool(native), why)


def form_row(name: str, games: int, form: Callable[[], object], aim: float | None) -> Row:
    """Random games a second, against another form that plays so many when it is called."""
    game = make("tron", players=1)
    root, room, rng = start(game), playout_work(game), generator(1)
    count = GAMES
    lanes(game, root, 1, rng, room)
    form()
    taken = alternate(lambda: lanes(game, root, count, rng, room), form, ROUNDS)
    ratio = taken.ratio * count / games
    against = f"{name}: {games / taken.theirs:,.0f}"
    row = Row("solo playouts, interleaved", count / taken.ours, "games/s", against, ratio)
    if aim is None:
        return row
    return row._replace(aim=f"{aim:.0f} of {name} (at least 80)", met=ratio >= aim)


def flat_row(simulations: int = SIMULATIONS) -> Row:
    """Milliseconds of CPU a move of a whole game played by flat Monte Carlo, the slowest move."""
    game = make("tron", players=1)
    state, search, slowest, moves = start(game), FlatMonteCarlo(game, seed=1), 0.0, 0
    search.search(state, 1)
    begun = process_time()
    while mover(game, state) != OVER:
        before = process_time()
        play(game, state, search.search(state, simulations).best)
        slowest = max(slowest, 1000 * (process_time() - before))
        moves += 1
    mean = 1000 * (process_time() - begun) / moves
    return Row(
        f"flat Monte Carlo, {simulations:,} each", mean, "ms/move",
        f"{moves} moves, slowest {slowest:.1f} ms", None, f"under {LIMIT_MS} ms a move",
        slowest < LIMIT_MS,
    )  # fmt: skip


def rows() -> Iterator[Row]:
    """The rows of Tron alone: under half a minute."""
    try:
        native: SoloC | None = SoloC()
        why = ""
    except NoCompilerError as error:
        native, why = None, f"skipped: {error}"
    game = make("tron", players=1)
    yield native_row(native, game, why)
    root = workshop_game(game, start(game))
    numpy_rng, python_rng = np.random.RandomState(1), random.Random(1)
    yield form_row(
        "NumPy", NUMPY_GAMES, lambda: simulate_all(root, NUMPY_GAMES, numpy_rng), NUMPY_AIM
    )
    yield form_row(
        "Python", PYTHON_GAMES, lambda: monte_carlo(root, PYTHON_GAMES, python_rng), None
    )
    yield flat_row()
