"""The measurements of `bench love-letter`: random rounds in Numba and in C."""

from collections.abc import Iterator

from bench.love_letter_kernels import RATES, native_side, playout_row
from bench.rows import Row


def rows() -> Iterator[Row]:
    """Measure, one after the other: under a minute."""
    native, why = native_side()
    for players in RATES:
        yield playout_row(native, players, why)
