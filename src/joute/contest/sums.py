"""Games that went alike taken together, so that standings of a million are made from a few."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from joute.contest.rows import Row


def summed(rows: Iterable[Row]) -> Iterator[Row]:
    """Fewer rows of which standings are the same, in no order; those of one set follow each other.

    Sets in which every game has the same bots, returns and points, on the same map, become one,
    which counts so many times. Those with a fault are left as they are, and come as they came.
    """
    alike: dict[Any, _Sum] = {}
    for (key, _), games in groupby(rows, key=lambda row: (row.key, row.map)):
        of_set = list(games)
        if any(row.faults for row in of_set):
            yield from of_set
            continue
        kind: tuple[Any, ...] = tuple(
            [(row.bots, tuple(row.returns), row.isolation, row.map) for row in of_set]
        )
        if of_set[0].size == 1:
            kind += tuple([tuple(row.points) for row in of_set])
        found = alike.get(kind)
        if found is None:
            found = alike[kind] = _Sum(key, of_set)
        found.add(of_set)
    for found in alike.values():
        yield from found.rows()


class _Sum:
    """Sets that went alike."""

    def __init__(self, key: Any, games: Sequence[Row]) -> None:
        self._first = [row._replace(key=key) for row in games]
        self._times = 0
        self._cpu_ms = [[0.0] * len(row.cpu_ms) for row in games]
        self._asked = [[0] * len(row.asked) for row in games]

    def add(self, games: Sequence[Row]) -> None:
        self._times += 1
        for row, cpu_ms, asked in zip(games, self._cpu_ms, self._asked, strict=True):
            for seat, spent in enumerate(row.cpu_ms):
                cpu_ms[seat] += spent
                asked[seat] += row.asked[seat]

    def rows(self) -> Iterator[Row]:
        for row, cpu_ms, asked in zip(self._first, self._cpu_ms, self._asked, strict=True):
            yield row._replace(cpu_ms=cpu_ms, asked=asked, times=self._times)
