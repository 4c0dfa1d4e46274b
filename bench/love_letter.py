"""The measurements of `bench love-letter`: random rounds in Numba and in C, and a search."""

from collections.abc import Iterator

from bench.ismcts import search_row
from bench.love_letter_kernels import RATES, native_side, playout_row
from bench.rows import Row
from joute.core.registry import make

SIMULATIONS = {2: 800_000, 4: 400_000}  # a second, by players: the aims


def rows() -> Iterator[Row]:
    """Measures, one after the other: under a minute."""
    native, why = native_side()
    for players in RATES:
        yield playout_row(native, players, why)
    for players, aim in SIMULATIONS.items():
        yield search_row(make("love-letter", players=players), f"{players} players", aim)
