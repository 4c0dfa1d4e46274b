"""Playouts of Paradise, in Numba and in C: equal results first, then speed."""

import ctypes
from pathlib import Path
from typing import Any

import numpy as np

from bench import against_c
from bench.against_c import Aim, compiled, side
from bench.rows import Row
from joute.core.registry import make

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
    return side(ParadiseC)


def playout_rows(native: ParadiseC | None, why: str = "") -> list[Row]:
    """Random games a second, against C and against the original; without C, `why` there is none."""
    aim = Aim(AIM, text=f"{AIM} of C")
    row = against_c.playout_row(
        native, why, make("paradise"), "playouts, dealing included", GAMES, CHECKED_GAMES, aim=aim
    )
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
