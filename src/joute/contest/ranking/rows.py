"""Counted games as rows, and games that went alike taken together.

Standings of a million games are made from a few rows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from joute.play.record import ply_number


class Row(NamedTuple):
    """A counted game; lists are by seat. `key` is the same for the `size` games of one set.

    Or `times` such games of as many sets that went alike, game for game: then `cpu_ms` and `asked`
    are sums.
    """

    key: Any
    bots: tuple[str, ...]
    returns: Sequence[float]
    faults: Sequence[Mapping[str, Any]] = ()  # seat, ply, fault, detail, cost, perhaps game
    cpu_ms: Sequence[float] = ()
    asked: Sequence[int] = ()
    size: int = 2
    points: Sequence[int] = ()
    map: str = ""  # the map's name, "" where there are none
    teams: Sequence[Sequence[int]] = ()  # seats that play together; the others are on their own
    isolation: Sequence[str] = ()  # what held each bot, empty if that was not noted
    times: int = 1


class FaultCount(msgspec.Struct, frozen=True):
    """The number of times that a bot failed in one way, and what was said the first time."""

    fault: str
    count: int
    first: str
    game: str  # the record of the first time, "" where there is none
    ply: int  # of the first time


def among_others(rows: Sequence[Row], out: Collection[str]) -> Sequence[Row]:
    """The games as they concern those who are not `out`: who finished above whom among them.

    Of a game of two with one of them nothing is left.
    """
    return rows if not out else [kept for row in rows if (kept := _without(row, out)) is not None]


def _without(row: Row, out: Collection[str]) -> Row | None:
    seats = [seat for seat, name in enumerate(row.bots) if name not in out]
    if sides_left(row.bots, row.teams, out) < 2:
        return None
    number = {seat: place for place, seat in enumerate(seats)}
    teams = [[number[seat] for seat in team if seat in number] for team in row.teams]
    return row._replace(
        bots=tuple(row.bots[seat] for seat in seats),
        returns=[row.returns[seat] for seat in seats],
        teams=[team for team in teams if team],
    )


def sides_left(bots: Sequence[str], teams: Sequence[Sequence[int]], out: Collection[str]) -> int:
    """The number of sides of a game, teams or bots by themselves, without the bots `out`."""
    side = {seat: min(team) for team in teams for seat in team}
    return len({side.get(seat, seat) for seat, name in enumerate(bots) if name not in out})


def faults_of(name: str, rows: Sequence[Row]) -> tuple[list[FaultCount], int]:
    """A bot's faults, the most frequent first, and the games that they cost it."""
    found: list[Mapping[str, Any]] = []
    forfeits = 0
    for row in rows:
        own = [fault for fault in row.faults if row.bots[fault["seat"]] == name]
        forfeits += row.times * any(fault["cost"] == "game" for fault in own)
        found += own
    return counted(found), forfeits


def counted(faults: Iterable[Mapping[str, Any]]) -> list[FaultCount]:
    """The faults of one bot in its games, by their kinds, the most frequent first."""
    found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for fault in faults:
        found[fault["fault"]].append(fault)
    counts = [
        FaultCount(
            code, len(all_), all_[0]["detail"], all_[0].get("game", ""), ply_number(all_[0]["ply"])
        )
        for code, all_ in found.items()
    ]
    return sorted(counts, key=lambda fault: (-fault.count, fault.fault))


def mean_ms(name: str, rows: Sequence[Row]) -> float | None:
    """Processor milliseconds per action asked of a bot; None if it was never asked."""
    spent, asked = 0.0, 0
    for row in rows:
        for seat, bot in enumerate(row.bots):
            if bot == name and seat < len(row.asked):
                spent += row.cpu_ms[seat]
                asked += row.asked[seat]
    return spent / asked if asked else None


def isolation_of(name: str, rows: Sequence[Row]) -> list[str]:
    """The isolation of a bot in its games, each word once: a level, or "inline"."""
    held = {
        row.isolation[seat]
        for row in rows
        for seat, bot in enumerate(row.bots)
        if bot == name and row.isolation
    }
    return sorted(held)


MOST = 20_000  # rows, from which standings are still made in a moment
NANOSECONDS = 1e6  # of a millisecond; whole ones come to the same sum in any order


class SetSum(NamedTuple):
    """So many sets that went alike. Of their games the rows are those of one set."""

    rows: list[Row]
    times: int
    cpu_ns: list[list[int]]  # nanoseconds of processor time, by game and seat
    asked: list[list[int]]  # how many actions were asked for


class SumsContent(msgspec.Struct, frozen=True):
    """All that sums are, as plain data."""

    single: list[Row]
    alike: list[SetSum]


class Sums:
    """Counted games, of which sets that went alike are one set, which counts so many times.

    They went alike if every game has the same bots, returns and points, on the same map. Sets with
    a fault, and those of which games are missing, are left as they are. The key of a row is the
    group's names, and the set's number within the group.
    """

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._open: dict[Any, list[Row]] = {}  # sets of which games are missing
        self._apart: list[Row] = []  # of sets with a fault
        self._alike: dict[Any, SetSum] = {}
        for row in rows:
            self.add(row)

    @classmethod
    def of(cls, content: SumsContent) -> Sums:
        """The sums that have this content."""
        found = cls()
        found._alike = {_kind(each.rows): each for each in content.alike}
        for row in content.single:
            found.add(row._replace(key=(tuple(row.key[0]), row.key[1])))
        return found

    def content(self) -> SumsContent:
        """The content of the sums, from which they can be made again."""
        alike = [each._replace(rows=list(map(_plain, each.rows))) for each in self._alike.values()]
        return SumsContent(list(map(_plain, self._single())), alike)

    def __len__(self) -> int:
        """About how many rows there are."""
        return len(self._apart) + len(self._open) + 2 * len(self._alike)

    def add(self, row: Row) -> None:
        """Counts one more game."""
        key = row.key, row.map
        of_set = self._open.setdefault(key, [])
        of_set.append(row)
        if len(of_set) == row.size:
            del self._open[key]
            self._close(of_set)

    def _close(self, of_set: list[Row]) -> None:
        """Takes a set that is whole together with those that went alike."""
        if any(row.faults for row in of_set):
            self._apart += of_set
            return
        of_set.sort(key=_place)
        kind = _kind(of_set)
        found = self._alike.get(kind)
        spent = [[round(NANOSECONDS * each) for each in row.cpu_ms] for row in of_set]
        if found is None:
            self._alike[kind] = SetSum(of_set, 1, spent, [list(row.asked) for row in of_set])
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
    return row._replace(cpu_ms=list(row.cpu_ms), asked=list(row.asked), points=list(row.points))


def _kind(of_set: Sequence[Row]) -> Any:
    """The key that sets that went alike have in common."""
    kind: tuple[Any, ...] = tuple(
        [(row.bots, tuple(row.returns), tuple(row.isolation), row.map) for row in of_set]
    )
    if of_set[0].size == 1:
        kind += tuple([tuple(row.points) for row in of_set])
    return kind
