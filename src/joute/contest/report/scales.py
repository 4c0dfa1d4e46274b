"""Scales of plots: from a value to a place, with round numbers marked."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor, log10
from typing import NamedTuple

TICKS = 6  # about how many round numbers are marked
LEAST = 1e-3  # milliseconds, the least that a logarithmic scale shows


class Scale(NamedTuple):
    """A scale from `low` to `high`, which differ."""

    low: float
    high: float
    ticks: list[float]  # the numbers to be marked
    digits: int  # decimals that they need
    logarithmic: bool = False

    def place(self, value: float) -> float:
        """Where a value lies, from 0 at the low end to 1 at the high one."""
        if not self.logarithmic:
            return (value - self.low) / (self.high - self.low)
        low, high = log10(self.low), log10(self.high)
        return (log10(max(value, self.low)) - low) / (high - low)


def even_scale(values: Iterable[float]) -> Scale:
    """A scale whose ends are round numbers around all values."""
    values = list(values) or [0.0, 1.0]
    least, most = min(values), max(values)
    if least == most:
        least, most = least - 1, most + 1
    step = _round_step((most - least) / TICKS)
    first, last = floor(least / step), ceil(most / step)
    ticks = [step * number for number in range(first, last + 1)]
    return Scale(ticks[0], ticks[-1], ticks, max(0, -floor(log10(step))))


def log_scale(values: Iterable[float]) -> Scale:
    """A scale whose ends are powers of ten around all values; zero is at its low end."""
    known = [value for value in values if value >= LEAST] or [1.0]
    first, last = floor(log10(min(known))), ceil(log10(max(known)))
    last = max(last, first + 1)
    return Scale(10.0**first, 10.0**last, [10.0**each for each in range(first, last + 1)], 0, True)


def _round_step(least: float) -> float:
    """The least of 1, 2, 5, 10, 20 ... that is not below `least`."""
    power: float = 10.0 ** floor(log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * (1 - 1e-9))
