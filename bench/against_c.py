"""Numba against C: both compiled on the spot, shown to do the same, and timed in turn."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from bench.rows import Row
from joute.core.interface import properties, start
from joute.core.random import generator
from joute.search.playouts import playout_work, playouts

# Without contraction C rounds as Numba does, so that values, and so node counts, are equal. Pairs
# of words fused into vectors are written as one and read as two, which costs gcc a third of its
# speed here: C is measured without that.
FLAGS = (
    "-O3", "-march=native", "-ffp-contract=off", "-fno-tree-slp-vectorize", "-shared", "-fPIC"
)  # fmt: skip

ROUNDS = 11
AIM = 0.9  # of the speed of C
AIM_TEXT = "0.9 of C (at least 0.65)"


class NoCompilerError(Exception):
    """There is no C here to compare with; the text says why."""


class DifferenceError(Exception):
    """C and Numba disagree: their speeds cannot be compared."""


class Native(Protocol):
    """A game in C."""

    def playouts(
        self, game: Any, root: np.ndarray, count: int, rng: np.ndarray, total: np.ndarray
    ) -> int:
        """As `joute.search.playouts.playouts`, but for the array of its results."""


N = TypeVar("N")


def compiled(source: Path, compiler: str = "cc") -> ctypes.CDLL:
    """The functions of a C file. Raises NoCompilerError if the compiler is missing or refuses."""
    path = shutil.which(compiler)
    if path is None:
        raise NoCompilerError(f"no C compiler {compiler!r} on the PATH")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "bench.so"
        command = [path, *FLAGS, "-o", str(library), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise NoCompilerError(f"{compiler} cannot compile {source.name}: {last}")
        return ctypes.CDLL(str(library))  # stays loaded when the file is gone


def side(make: Callable[[], N]) -> tuple[N | None, str]:
    """The side in C, or None and why there is none."""
    try:
        return make(), ""
    except NoCompilerError as error:
        return None, f"skipped: {error}"


def check_playouts(native: Native, game: Any, count: int, seed: int = 1) -> None:
    """Raises DifferenceError unless both play the same random games."""
    root, work = start(game), playout_work(game)
    ours, theirs = generator(seed), generator(seed)
    total = np.zeros(properties(game).players)
    plies = playouts(game, root, count, ours, work)
    native_plies = native.playouts(game, root, count, theirs, total)
    found = (int(plies), work.total.tolist(), ours.tolist())
    expected = (native_plies, total.tolist(), theirs.tolist())
    if found != expected:
        raise DifferenceError(f"playouts of {properties(game).name}: Numba {found}, C {expected}")


class Aim(NamedTuple):
    """The aim of a row."""

    ratio: float = AIM  # of the speed of C
    rate: int = 0  # a second; 0 for no matter
    text: str = AIM_TEXT

    @classmethod
    def of(cls, ratio: float, rate: int) -> Aim:
        """Both, in the usual words."""
        return cls(ratio, rate, f"{ratio} of C, {rate:,}")


def playout_row(
    native: Native | None,
    why: str,
    game: Any,
    name: str,
    count: int,
    checked: int,
    unit: str = "games/s",
    aim: Aim | None = None,
) -> Row:
    """Random games a second from the first state, shown to be the same in C.

    Args:
        native: the game in C, or None.
        why: there is none.
        game: what is played.
        name: of the row.
        count: games in a round of measuring.
        checked: games in which both are compared first.
        unit: of the row.
        aim: what is to be reached.
    """
    aim = aim or Aim()
    root, work, total = start(game), playout_work(game), np.zeros(properties(game).players)
    ours, theirs = generator(1), generator(1)

    def mine() -> None:
        playouts(game, root, count, ours, work)

    def other() -> None:
        if native is not None:
            native.playouts(game, root, count, theirs, total)

    playouts(game, root, 1, ours, work)
    if native is not None:
        check_playouts(native, game, checked)
    taken = alternate(mine, other)
    row = compared_row(name, count, unit, taken, native is not None, why, aim.ratio, aim.text)
    return row._replace(met=row.met and count / taken.ours >= aim.rate)


class Taken(NamedTuple):
    """CPU seconds of each side, and how fast ours is in terms of theirs; medians."""

    ours: float
    theirs: float
    ratio: float


def alternate(
    ours: Callable[[], object], theirs: Callable[[], object], rounds: int = ROUNDS
) -> Taken:
    """Time both in turn, in short rounds: a busy machine slows both sides of a round alike."""
    times: list[tuple[float, float]] = []
    for index in range(rounds):
        order = (0, 1) if index % 2 else (1, 0)
        taken = [0.0, 0.0]
        for which in order:
            began = process_time()
            (ours, theirs)[which]()
            taken[which] = process_time() - began
        times.append((taken[0], taken[1]))
    return Taken(
        median(mine for mine, _ in times),
        median(other for _, other in times),
        median(other / max(mine, 1e-9) for mine, other in times),
    )


def compared_row(
    name: str,
    work: float,
    unit: str,
    taken: Taken,
    compared: bool,
    why: str,
    aim: float = AIM,
    aim_text: str = AIM_TEXT,
) -> Row:
    """The row of so much `work` done by ours and, if they are `compared`, by C; else `why` not."""
    if not compared:
        return Row(name, work / taken.ours, unit, why, aim=aim_text)
    against = f"C: {work / taken.theirs:,.0f}"
    return Row(name, work / taken.ours, unit, against, taken.ratio, aim_text, taken.ratio >= aim)
