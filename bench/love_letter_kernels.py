"""Random games of Love Letter, in Numba and in C: equal results first, then speed."""

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
    try:
        return LoveLetterC(), ""
    except NoCompilerError as error:
        return None, f"skipped: {error}"


def check_playouts(native: LoveLetterC, game: Any, count: int, seed: int = 1) -> None:
    """Raises DifferenceError unless both play the same random games."""
    root, work = start(game), playout_work(game)
    ours, theirs = generator(seed), generator(seed)
    total = np.zeros(properties(game).players)
    plies = playouts(game, root, count, ours, work)
    native_plies = native.playouts(game, root, count, theirs, total)
    found = (int(plies), work.total.tolist(), ours.tolist())
    expected = (native_plies, total.tolist(), theirs.tolist())
    if found != expected:
        raise DifferenceError(f"playouts of Love Letter: Numba {found}, C {expected}")


def playout_row(native: LoveLetterC | None, players: int, why: str = "") -> Row:
    """Random rounds a second; without C, `why` there is none."""
    game = make("love-letter", players=players)
    root, work, total = start(game), playout_work(game), np.zeros(players)
    ours, theirs = generator(1), generator(1)
    count = GAMES[players]

    def mine() -> None:
        playouts(game, root, count, ours, work)

    def his() -> None:
        if native is not None:
            native.playouts(game, root, count, theirs, total)

    playouts(game, root, 1, ours, work)
    if native is not None:
        check_playouts(native, game, CHECKED_GAMES)
    taken = alternate(mine, his)
    aim = f"{AIM} of C, {RATES[players]:,}"
    name = f"random rounds, {players} players"
    row = compared_row(name, count, "rounds/s", taken, bool(native), why, AIM, aim)
    return row._replace(met=row.met and row.value is not None and row.value >= RATES[players])
