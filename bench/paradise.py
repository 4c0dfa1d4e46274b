"""The measurements of `bench paradise`: random games, against C and the original, and a search."""

from collections.abc import Iterator

from bench.ismcts import search_row
from bench.paradise_kernels import native_side, playout_rows
from bench.rows import Row
from joute.games import make

SIMULATIONS = 100_000  # a second: the aim


def rows() -> Iterator[Row]:
    """Measure, one after the other: under a minute."""
    native, why = native_side()
    yield from playout_rows(native, why)
    yield search_row(make("paradise"), "to the end of the game", SIMULATIONS)
