"""Standings of bots that play alone: by the mean of the game's points over all games."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import UNSET, UnsetType

from joute.contest.ranking.discipline import Offence
from joute.contest.ranking.rows import FaultCount, Row, faults_of, isolation_of, mean_ms
from joute.contest.rating.statistics import Interval, sample
from joute.store.decisions import Decision


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """One bot's line in the standings of a contest where each plays alone."""

    rank: int  # from 1; equal means share it, bots without a game come last
    name: str
    mean: float | None  # points over all games; None without one
    interval: Interval | None  # 95 % for the mean; None if a map has one game, or none varies
    deviation: float | None  # of a game's points on its map; None without two games on a map
    best: int | None  # points of the best game
    games: int
    by_map: dict[str, float]  # mean points on each map, empty where there are none
    forfeits: int  # games cut short by a fault; their points until then count
    faults: list[FaultCount]
    mean_ms: float | None  # processor milliseconds per action asked for; None if never asked
    disqualified: list[Offence] = []  # for what; it comes last then, and its points are void
    isolation: list[str] = []  # what held it in its games
    decision: Decision | None = None  # of the organiser, about the bot
    # Games that the machine spoilt when it was waited for; left out where there are none.
    infrastructure: list[str] | UnsetType = UNSET

    @property
    def spoilt(self) -> list[str]:
        """The games that the machine spoilt when this bot was waited for."""
        return [] if self.infrastructure is UNSET else self.infrastructure


def rank_scores(
    names: Sequence[str], rows: Iterable[Row], out: Mapping[str, list[Offence]] | None = None
) -> list[Score]:
    """The standings of the bots `names` after the games `rows`, best first.

    `out` are the disqualified, for what; they come last and their points are void. Bots that share
    a place are in alphabetical order.
    """
    played: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        played[row.bots[0]].append(row)
    lines = [_line(name, played[name], (out or {}).get(name, [])) for name in sorted(names)]
    lines.sort(key=_place)
    table: list[Score] = []
    for number, line in enumerate(lines):
        shared = number > 0 and _place(line) == _place(table[-1])
        rank = table[-1].rank if shared else number + 1
        table.append(msgspec.structs.replace(line, rank=rank))
    return table


def _place(line: Score) -> tuple[bool, bool, float]:
    return bool(line.disqualified), line.mean is None, -(line.mean or 0.0)


def _line(name: str, rows: Sequence[Row], disqualified: list[Offence]) -> Score:
    """A bot's line, its rank still to be found."""
    counted = () if disqualified else rows
    points: dict[str, list[int]] = defaultdict(list)
    for row in counted:
        points[row.map] += row.times * [row.points[0]]
    found = sample(list(points.values()))
    faults, forfeits = faults_of(name, rows)
    return Score(
        rank=0,
        name=name,
        mean=found and found.mean,
        interval=found and found.interval,
        deviation=found and found.deviation,
        best=max((row.points[0] for row in counted), default=None),
        games=sum(row.times for row in counted),
        by_map={each: sum(got) / len(got) for each, got in points.items() if each},
        forfeits=forfeits,
        faults=faults,
        mean_ms=mean_ms(name, rows),
        disqualified=disqualified,
        isolation=isolation_of(name, rows),
    )
