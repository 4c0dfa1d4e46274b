"""Games that went alike taken together, so that standings of a million are made from a few."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from joute.contest.ranking.rows import Row

MOST = 20_000  # rows, from which standings are still made in a moment
NANOSECONDS = 1e6  # of a millisecond; whole ones come to the same sum in any order


class Sum(NamedTuple):
    """So many sets that went alike. Of their games the rows are those of one set."""

    rows: list[Row]
    times: int
    cpu_ns: list[list[int]]  # nanoseconds of processor time, by game and seat
    asked: list[list[int]]  # how many actions were asked for


class Content(msgspec.Struct, frozen=True):
    """All that sums are, as plain data."""

    single: list[Row]
    alike: list[Sum]


class Sums:
    """Counted games, of which sets that went alike are one set, which counts so many times.

    They went alike if every game has the same bots, returns and points, on the same map. Sets with
    a fault, and those of which games are missing, are left as they are. The key of a row is the
    group's names, and the set's number within the group.
    """

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._open: dict[Any, list[Row]] = {}  # sets of which games are missing
        self._apart: list[Row] = []  # of sets with a fault
        self._alike: dict[Any, Sum] = {}
        for row in rows:
            self.add(row)

    @classmethod
    def of(cls, content: Content) -> Sums:
        """The sums that have this content."""
        found = cls()
        found._alike = {_kind(each.rows): each for each in content.alike}
        for row in content.single:
            found.add(row._replace(key=(tuple(row.key[0]), row.key[1])))
        return found

    def content(self) -> Content:
        """The content of the sums, from which they can be made again."""
        alike = [each._replace(rows=list(map(_plain, each.rows))) for each in self._alike.values()]
        return Content(list(map(_plain, self._single())), alike)

    def __len__(self) -> int:
        """About how many rows there are."""
        return len(self._apart) + len(self._open) + 2 * len(self._alike)

    def add(self, row: Row) -> None:
        """Count one more game."""
        key = row.key, row.map
        of_set = self._open.setdefault(key, [])
        of_set.append(row)
        if len(of_set) == row.size:
            del self._open[key]
            self._close(of_set)

    def _close(self, of_set: list[Row]) -> None:
        """Take a set that is whole together with those that went alike."""
        if any(row.faults for row in of_set):
            self._apart += of_set
            return
        of_set.sort(key=_place)
        kind = _kind(of_set)
        found = self._alike.get(kind)
        spent = [[round(NANOSECONDS * each) for each in row.cpu_ms] for row in of_set]
        if found is None:
            self._alike[kind] = Sum(of_set, 1, spent, [list(row.asked) for row in of_set])
            return
        for row, cpu_ns, asked, own in zip(of_set, found.cpu_ns, found.asked, spent, strict=True):
            for seat, nanoseconds in enumerate(own):
                cpu_ns[seat] += nanoseconds
                asked[seat] += row.asked[seat]
        self._alike[kind] = found._replace(times=found.times + 1)

    def rows(self) -> Iterator[Row]:
        """The rows: the same, in the same order, in whatever order the games came."""
        yield from self._single()
        for number, kind in enumerate(sorted(self._alike)):
            found = self._alike[kind]
            for row, cpu_ns, asked in zip(found.rows, found.cpu_ns, found.asked, strict=True):
                yield row._replace(
                    key=number,
                    cpu_ms=[each / NANOSECONDS for each in cpu_ns],
                    asked=asked,
                    times=found.times,
                )

    def _single(self) -> list[Row]:
        """The games that are left as they are, in the order of the schedule."""
        return sorted(chain(self._apart, *self._open.values()), key=_place)


def _place(row: Row) -> Any:
    members, number = row.key
    return number, members, row.bots, row.map


def _plain(row: Row) -> Row:
    """The row with lists, whatever its figures were kept in."""
    return row._replace(cpu_ms=list(row.cpu_ms), asked=list(row.asked), points=list(row.points))


def _kind(of_set: Sequence[Row]) -> Any:
    """What a set has in common with those that went alike."""
    kind: tuple[Any, ...] = tuple(
        [(row.bots, tuple(row.returns), tuple(row.isolation), row.map) for row in of_set]
    )
    if of_set[0].size == 1:
        kind += tuple([tuple(row.points) for row in of_set])
    return kind
