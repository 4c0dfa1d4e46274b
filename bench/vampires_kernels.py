"""Playouts of Vampires vs Werewolves, in Numba and in C: equal results first, then speed."""

import ctypes
from pathlib import Path
from typing import Any

import numpy as np

from bench.native import NoCompilerError, compiled
from bench.rows import Row
from bench.virus_kernels import DifferenceError, alternate, compared_row
from joute.games import make
from joute.games.interface import properties, start
from joute.games.random import generator
from joute.search.playouts import playouts
from joute.search.playouts import work as playout_work

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
    try:
        return VampiresC(), ""
    except NoCompilerError as error:
        return None, f"skipped: {error}"


def check_playouts(native: VampiresC, game: Any, count: int, seed: int = 1) -> None:
    """Raises DifferenceError unless both play the same random games."""
    root, work = start(game), playout_work(game)
    ours, theirs, total = generator(seed), generator(seed), np.zeros(2)
    plies = playouts(game, root, count, ours, work)
    native_plies = native.playouts(game, root, count, theirs, total)
    found = (int(plies), work.total.tolist(), ours.tolist())
    expected = (native_plies, total.tolist(), theirs.tolist())
    if found != expected:
        raise DifferenceError(f"playouts of Vampires: Numba {found}, C {expected}")


def playout_row(native: VampiresC | None, split: bool, why: str = "") -> Row:
    """Random games a second on the map of 11 x 9; without C, `why` there is none."""
    game = make("vampires", split=split)
    root, work, total = start(game), playout_work(game), np.zeros(2)
    ours, theirs = generator(1), generator(1)
    count = GAMES[split]

    def mine() -> None:
        playouts(game, root, count, ours, work)

    def his() -> None:
        if native is not None:
            native.playouts(game, root, count, theirs, total)

    playouts(game, root, 1, ours, work)
    if native is not None:
        check_playouts(native, game, CHECKED_GAMES)
    taken = alternate(mine, his)
    name = f"playouts, 11 x 9, {'every count' if split else 'whole groups'}"
    aim = f"{AIM} of C, {RATES[split]:,}"
    row = compared_row(name, count, "games/s", taken, bool(native), why, AIM, aim)
    return row._replace(met=row.met and row.value is not None and row.value >= RATES[split])
