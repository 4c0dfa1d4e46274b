"""Playouts of Paradise, in Numba and in C: equal results first, then speed."""

import ctypes
from pathlib import Path
from typing import Any

import numpy as np

from bench.native import NoCompilerError, compiled
from bench.rows import Row
from bench.virus_kernels import DifferenceError, alternate, compared_row
from joute.games import make
from joute.games.interface import start
from joute.games.random import generator
from joute.search.playouts import playouts
from joute.search.playouts import work as playout_work

SOURCE = Path(__file__).with_name("paradise.c")
CHECKED_GAMES = 5000
AIM = 0.9
ORIGINAL = 8.6  # games a second of the contest's engine, on one core
TIMES, LEAST_TIMES = 11_000, 8_000  # as fast as that
GAMES = 40_000  # in a round: a quarter of a second


class ParadiseC:
    """Paradise in C. Raises NoCompilerError if `cc` is missing or refuses."""

    def __init__(self, compiler: str = "cc") -> None:
        self._playouts = compiled(SOURCE, compiler).playouts
        pointer, whole = ctypes.c_void_p, ctypes.c_int64
        self._playouts.restype = whole
        self._playouts.argtypes = [whole, pointer, whole, pointer, pointer]

    def playouts(
        self, game: Any, root: np.ndarray, count: int, rng: np.ndarray, total: np.ndarray
    ) -> int:
        """As `joute.search.playouts.playouts`."""
        plies: int = self._playouts(
            game.quirks, root.ctypes.data, count, rng.ctypes.data, total.ctypes.data
        )
        return plies


def native_side() -> tuple[ParadiseC | None, str]:
    """The side in C, or None and why there is none."""
    try:
        return ParadiseC(), ""
    except NoCompilerError as error:
        return None, f"skipped: {error}"


def check_playouts(native: ParadiseC, game: Any, count: int, seed: int = 1) -> None:
    """Raises DifferenceError unless both play the same random games."""
    root, work = start(game), playout_work(game)
    ours, theirs, total = generator(seed), generator(seed), np.zeros(2)
    plies = playouts(game, root, count, ours, work)
    native_plies = native.playouts(game, root, count, theirs, total)
    found = (int(plies), work.total.tolist(), ours.tolist())
    expected = (native_plies, total.tolist(), theirs.tolist())
    if found != expected:
        raise DifferenceError(f"playouts of Paradise: Numba {found}, C {expected}")


def playout_rows(native: ParadiseC | None, why: str = "") -> list[Row]:
    """Random games a second, against C and against the original; without C, `why` there is none."""
    game = make("paradise")
    root, work, total = start(game), playout_work(game), np.zeros(2)
    ours, theirs = generator(1), generator(1)

    def mine() -> None:
        playouts(game, root, GAMES, ours, work)

    def his() -> None:
        if native is not None:
            native.playouts(game, root, GAMES, theirs, total)

    playouts(game, root, 1, ours, work)
    if native is not None:
        check_playouts(native, game, CHECKED_GAMES)
    taken = alternate(mine, his)
    name = "playouts, dealing included"
    row = compared_row(name, GAMES, "games/s", taken, bool(native), why, AIM, f"{AIM} of C")
    times = (row.value or 0.0) / ORIGINAL
    return [
        row,
        Row(
            "playouts, by the original",
            times,
            "times",
            f"the contest's engine {ORIGINAL} games/s",
            times,
            f"{TIMES:,}, at least {LEAST_TIMES:,}",
            times >= TIMES,
        ),
    ]
