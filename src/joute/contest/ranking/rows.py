"""What standings are made from: the counted games, and what every format reads off them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec


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
    """How often a bot failed in one way, and what was said the first time."""

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
    number = {seat: place for place, seat in enumerate(seats)}
    teams = [[number[seat] for seat in team if seat in number] for team in row.teams]
    teams = [team for team in teams if team]
    sides = len(teams) + len(seats) - sum(map(len, teams))
    if sides < 2:
        return None
    return row._replace(
        bots=tuple(row.bots[seat] for seat in seats),
        returns=[row.returns[seat] for seat in seats],
        teams=teams,
    )


def faults_of(name: str, rows: Sequence[Row]) -> tuple[list[FaultCount], int]:
    """A bot's faults, the most frequent first, and the games that they cost it."""
    found: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    forfeits = 0
    for row in rows:
        own = [fault for fault in row.faults if row.bots[fault["seat"]] == name]
        forfeits += row.times * any(fault["cost"] == "game" for fault in own)
        for fault in own:
            found[fault["fault"]].append(fault)
    counts = [
        FaultCount(code, len(all_), all_[0]["detail"], all_[0].get("game", ""), all_[0]["ply"])
        for code, all_ in found.items()
    ]
    return sorted(counts, key=lambda fault: (-fault.count, fault.fault)), forfeits


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
    """What held a bot in its games, each word once: a level of isolation, or "inline"."""
    held = {
        row.isolation[seat]
        for row in rows
        for seat, bot in enumerate(row.bots)
        if bot == name and row.isolation
    }
    return sorted(held)
