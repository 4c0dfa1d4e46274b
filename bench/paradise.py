"""The measurements of `bench paradise`: random games in Numba, in C and in the original engine."""

from collections.abc import Iterator

from bench.paradise_kernels import native_side, playout_rows
from bench.rows import Row


def rows() -> Iterator[Row]:
    """Measure, one after the other: under a minute."""
    native, why = native_side()
    yield from playout_rows(native, why)
