"""The measurements of `bench vampires`: random games in Numba and in C, and a search of orders."""

from collections.abc import Iterator

from bench import vampires_search
from bench.rows import Row
from bench.vampires_kernels import native_side, playout_row


def rows() -> Iterator[Row]:
    """Measure, one after the other: under a minute."""
    native, why = native_side()
    for split in (True, False):
        yield playout_row(native, split, why)
    yield from vampires_search.rows()
