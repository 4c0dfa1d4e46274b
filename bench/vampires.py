"""The measurements of `bench vampires`: random games in Numba and in C, a search of orders, and the
server's turns.
"""

from collections.abc import Iterator

from bench import vampires_search
from bench.rows import Row
from bench.vampires_kernels import native_side, playout_row
from bench.vampires_server import turn_row


def rows() -> Iterator[Row]:
    """Measures, one after the other: under a minute."""
    native, why = native_side()
    for split in (True, False):
        yield playout_row(native, split, why)
    yield from vampires_search.rows()
    yield turn_row()
