"""Random games of Love Letter, in Numba and in C: equal results first, then speed."""

import ctypes
from pathlib import Path
from typing import Any

import numpy as np

from bench import against_c
from bench.against_c import Aim, compiled, side
from bench.rows import Row
from joute.core.registry import make

SOURCE = Path(__file__).with_name("love_letter.c")
CHECKED_GAMES = 5000
AIM = 0.9
RATES = {2: 1_800_000, 4: 750_000}  # rounds a second, by players
GAMES = {2: 450_000, 4: 190_000}  # in a round of measuring: about a quarter of a second


class Rules(ctypes.Structure):
    """`rules` of love_letter.c."""

    _fields_ = [(name, ctypes.c_int64) for name in ("players", "tokens", "classic")]


class LoveLetterC:
    """Love Letter in C. Raises NoCompilerError if `cc` is missing or refuses."""

    def __init__(self, compiler: str = "cc") -> None:
        self._playouts = compiled(SOURCE, compiler).playouts
        pointer, whole = ctypes.c_void_p, ctypes.c_int64
        self._playouts.restype = whole
        self._playouts.argtypes = [ctypes.POINTER(Rules), pointer, whole, pointer, pointer]

    def playouts(
        self, game: Any, root: np.ndarray, count: int, rng: np.ndarray, total: np.ndarray
    ) -> int:
        """As `joute.search.playouts.playouts`."""
        rules = Rules(*(int(getattr(game, name)) for name, _ in Rules._fields_))
        plies: int = self._playouts(
            rules, root.ctypes.data, count, rng.ctypes.data, total.ctypes.data
        )
        return plies


def native_side() -> tuple[LoveLetterC | None, str]:
    """The side in C, or None and why there is none."""
    return side(LoveLetterC)


def playout_row(native: LoveLetterC | None, players: int, why: str = "") -> Row:
    """Random rounds a second; without C, `why` there is none."""
    return against_c.playout_row(
        native,
        why,
        make("love-letter", players=players),
        f"random rounds, {players} players",
        GAMES[players],
        CHECKED_GAMES,
        "rounds/s",
        Aim.of(AIM, RATES[players]),
    )
