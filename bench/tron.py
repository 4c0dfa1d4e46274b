"""The measurements of `bench tron`: random games alone and in the arena, flat Monte Carlo."""

from collections.abc import Iterator

from bench import tron_arena, tron_kernels
from bench.rows import Row

PARTS = (tron_kernels.rows, tron_arena.rows)
"""What measures, in turn."""


def rows() -> Iterator[Row]:
    """Measure, one after the other: under two minutes."""
    for part in PARTS:
        yield from part()
