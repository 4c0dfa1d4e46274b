"""Playouts of Vampires vs Werewolves, in Numba and in C: equal results first, then speed."""

import ctypes
from pathlib import Path
from typing import Any

import numpy as np

from bench import against_c
from bench.against_c import Aim, compiled, side
from bench.rows import Row
from joute.core.interface import properties
from joute.core.registry import make

SOURCE = Path(__file__).with_name("vampires.c")
CHECKED_GAMES = 1000
AIM = 0.95
RATES = {True: 25_000, False: 65_000}  # games a second, by whether groups split
GAMES = {True: 10_000, False: 25_000}  # in a round: a quarter of a second


class Rules(ctypes.Structure):
    """`rules` of vampires.c."""

    _fields_ = [
        (name, ctypes.c_int64)
        for name in ("plies", "split", "wrap_counts", "stride", "size", "words", "most_targets")
    ]


class VampiresC:
    """Vampires vs Werewolves in C. Raises NoCompilerError if `cc` is missing or refuses."""

    def __init__(self, compiler: str = "cc") -> None:
        self._playouts = compiled(SOURCE, compiler).playouts
        pointer, whole = ctypes.c_void_p, ctypes.c_int64
        self._playouts.restype = whole
        self._playouts.argtypes = [
            ctypes.POINTER(Rules), pointer, whole, pointer, pointer, pointer, pointer
        ]  # fmt: skip

    def playouts(
        self, game: Any, root: np.ndarray, count: int, rng: np.ndarray, total: np.ndarray
    ) -> int:
        """As `joute.search.playouts.playouts`, for grids whose states are int16."""
        if root.dtype != np.int16:
            raise ValueError(f"states of {root.dtype} are not served")
        rules = Rules(*(int(getattr(game, name)) for name, _ in Rules._fields_))
        state, listed = root.copy(), np.zeros(properties(game).max_legal, np.int32)
        plies: int = self._playouts(
            rules, root.ctypes.data, count, rng.ctypes.data, state.ctypes.data, listed.ctypes.data,
            total.ctypes.data,
        )  # fmt: skip
        return plies


def native_side() -> tuple[VampiresC | None, str]:
    """The side in C, or None and why there is none."""
    return side(VampiresC)


def playout_row(native: VampiresC | None, split: bool, why: str = "") -> Row:
    """Random games a second on the map of 11 x 9; without C, `why` there is none."""
    name = f"playouts, 11 x 9, {'every count' if split else 'whole groups'}"
    aim = Aim.of(AIM, RATES[split])
    game = make("vampires", split=split)
    return against_c.playout_row(native, why, game, name, GAMES[split], CHECKED_GAMES, aim=aim)
