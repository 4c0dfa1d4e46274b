"""The measurements of `bench tron`: random games, flat Monte Carlo, and the champion's filling."""

from collections.abc import Iterator

from bench import tron_arena, tron_fill, tron_kernels
from bench.rows import Row

PARTS = (tron_kernels.rows, tron_arena.rows, tron_fill.rows)
"""The measurements, in turn."""


def rows() -> Iterator[Row]:
    """Measures, one after the other: under two minutes."""
    for part in PARTS:
        yield from part()
