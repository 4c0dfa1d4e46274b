"""A contest as it stands: the one model that terminal, pages, tables and plots are made from.

Standings and decisions are there at once. Who beat whom, how scores came about and how long bots
thought take all games; where those have not been gone through yet, the report is not `whole`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import permutations
from math import ceil
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from joute.contest.config.contest import Contest
from joute.contest.config.contest_table import SCORE
from joute.contest.contents import known_contents
from joute.contest.folder import has_store, opened_store, stored_games
from joute.contest.ranking.ranking import NO_PROGRESSION
from joute.contest.ranking.rows import Row, among_others
from joute.contest.ranking.rules import seat_scores
from joute.contest.run.ledger import GameOutcome
from joute.contest.run.plan import Plan, Rows
from joute.contest.schedule.formats import Table
from joute.contest.schedule.schedule import Progression, Slot
from joute.contest.sealing import with_seal
from joute.store.model import Decision, StoredGame

POINTS = 120  # of a bot's course, at most


class HeadToHead(NamedTuple):
    """The games of one bot against another: how many it finished above it, level, below it."""

    above: int
    level: int
    below: int

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self)

    @property
    def score(self) -> float:
        """The share of them that it finished above, 0..1; level ones count half."""
        return (self.above + self.level / 2) / self.games

    @property
    def result(self) -> str:
        """`won`, `level` or `lost`."""
        ahead = self.above - self.below
        return "won" if ahead > 0 else "lost" if ahead < 0 else "level"


class ThinkingTime(NamedTuple):
    """Processor milliseconds per action asked of a bot: of its games' means, and of all."""

    least: float  # of the quickest game
    mean: float  # over all actions
    most: float  # of the slowest game


Cross = Mapping[tuple[str, str], HeadToHead]
"""The meetings by the names of both bots; each is there from either side."""

Course = Sequence[tuple[int, float]]
"""After so many games of a bot, its mean score (0..1, or points), in the order of the schedule."""


NOTHING: Mapping[Any, Any] = MappingProxyType({})


class Report(NamedTuple):
    """A contest after the games that count."""

    contest: Contest
    table: Table  # the standings
    decisions: Sequence[Decision]  # of the organiser, that are in force
    done: int  # games that count
    left: int  # at most, that may still be needed
    cross: Cross = NOTHING  # without the disqualified
    courses: Mapping[str, Course] = NOTHING  # by complete sets, without the disqualified
    paces: Mapping[str, ThinkingTime] = NOTHING  # of each bot that was asked at all
    last: str = ""  # when the last game was played, ISO 8601, "" without one
    games: Sequence[StoredGame] = ()  # those that count, in the order of the schedule, for exports
    arrivals: Mapping[str, int] = NOTHING  # games' numbers in the contest's lists, by identity
    met: Sequence[StoredGame] = ()  # with those that are void because a bot is out, for brackets
    progression: Progression = NO_PROGRESSION
    whole: bool = True  # whether all of this is known, and not the standings alone

    @property
    def ranked(self) -> list[str]:
        """The bots in the order of the standings, without the disqualified."""
        return [line.name for line in self.table if not line.disqualified]

    @property
    def numbered(self) -> list[tuple[int, StoredGame]]:
        """The games, each after its number in the contest's lists."""
        return [(self.arrivals[game.identity], game) for game in self.games]

    @property
    def alone(self) -> bool:
        """Whether each bot plays by itself, for points."""
        return self.contest.format == SCORE

    @property
    def numbers(self) -> dict[str, int]:
        """The numbers of the bots' pages, from 1, by name."""
        return {bot.name: number for number, bot in enumerate(self.contest.bots, start=1)}


def read_report(contest: Contest) -> Report:
    """The contest as its folder has it. Raises FolderError."""
    path = Path(contest.folder)
    seed, games = stored_games(path, contest.store)
    in_force: dict[str, Decision] = {}
    contents = None
    if has_store(path):
        contest = with_seal(contest)
        with opened_store(path, contest.store) as store:
            in_force = store.in_force()
            contents = known_contents(contest, store, in_force)
    plan = Plan(contest, contest.seed or seed or "", games, in_force=in_force, contents=contents)
    return report_of(contest, plan, games)


def report_of(contest: Contest, plan: Plan, played: Mapping[str, StoredGame]) -> Report:
    """The contest as far as its plan knows.

    `played` are its games, by identity, in the order of their arrival.
    """
    # A game may stand at two places of the schedule, with the names of other bots.
    counted = plan.counted()
    met = [
        replace(
            played[outcome.identity],
            members=list(slot.members),
            set_number=slot.number,
            bots=list(slot.seats),
            map=slot.map,
        )
        for slot, outcome in counted
    ]
    last = max((game.played_at for game in met), default="")
    found = compared(contest, plan, counted)
    rows, out = Rows(contest), bots_out(found.table)
    games = [game for (slot, _), game in zip(counted, met, strict=True) if rows.counts(slot, out)]
    arrivals = {identity: number for number, identity in enumerate(played, start=1)}
    return found._replace(games=games, arrivals=arrivals, met=met, last=last)


def compared(contest: Contest, plan: Plan, counted: Iterable[tuple[Slot, GameOutcome]]) -> Report:
    """The contest as far as its plan knows, without its games; `counted` are those of the plan."""
    table = plan.standings()
    rows, out, done = Rows(contest), bots_out(table), 0
    comparison = _Comparison(contest, [line.name for line in table], out)
    for slot, outcome in counted:
        comparison.add(rows.row(slot, outcome))
        done += rows.counts(slot, out)
    return Report(
        contest,
        table,
        plan.decisions,
        done,
        plan.left,
        cross=comparison.cross(),
        courses={name: _thinned(row) for name, row in comparison.courses.items() if row},
        paces=comparison.paces(),
        progression=plan.progression(),
    )


def bots_out(table: Table) -> set[str]:
    """The bots whose results are void, by the contest's rules or by a decision."""
    return {line.name for line in table if line.disqualified}


class _Comparison:
    """Figures gathered in a pass over the games, in the order of the schedule.

    Bots that play alone meet in the points of the same map and seed. Of the bots `out` nothing
    counts but the time that they took.
    """

    def __init__(self, contest: Contest, names: Sequence[str], out: Collection[str]) -> None:
        self._alone = contest.format == SCORE
        self._out = out
        self._counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
        self._same: dict[tuple[str, int], list[tuple[str, float]]] = defaultdict(list)
        self._sets: dict[Any, list[Row]] = defaultdict(list)  # of which games are missing
        self._sums: dict[str, float] = defaultdict(float)
        self._spent: dict[str, float] = defaultdict(float)
        self._asked: dict[str, int] = defaultdict(int)
        self._means: dict[str, tuple[float, float]] = {}  # the least and the most of a game
        self.courses: dict[str, list[float]] = {name: [] for name in names if name not in out}

    def add(self, row: Row) -> None:
        """Takes in a game at its place of the schedule."""
        self._time(row)
        if self._alone:
            [name], [points] = row.bots, row.points
            if name not in self._out:
                self._same[row.map, row.key[1]].append((name, points))
                self._score(name, points)
            return
        for kept in among_others([row], self._out):
            self._meet(kept)
            # As in the standings, a set has no part in scores before all of its games are there.
            self._sets[kept.key].append(kept)
            if len(self._sets[kept.key]) == kept.size:
                for game in self._sets.pop(kept.key):
                    scores = seat_scores(game.returns, game.teams)
                    for name, score in zip(game.bots, scores, strict=True):
                        self._score(name, score)

    def _time(self, row: Row) -> None:
        for name, cpu_ms, asked in zip(row.bots, row.cpu_ms, row.asked, strict=True):
            if asked:
                self._spent[name] += cpu_ms
                self._asked[name] += asked
                mean = cpu_ms / asked
                least, most = self._means.get(name, (mean, mean))
                self._means[name] = min(least, mean), max(most, mean)

    def _meet(self, row: Row) -> None:
        side = {seat: min(team) for team in row.teams for seat in team}
        for one, two in permutations(range(len(row.bots)), 2):
            if side.get(one, one) != side.get(two, two):
                self._met(row.bots[one], row.returns[one], row.bots[two], row.returns[two])

    def _met(self, one: str, mine: float, two: str, other: float) -> None:
        self._counts[one, two][0 if mine > other else 1 if mine == other else 2] += 1

    def _score(self, name: str, score: float) -> None:
        self._sums[name] += score
        course = self.courses[name]
        course.append(self._sums[name] / (len(course) + 1))

    def cross(self) -> Cross:
        """Every two bots that met as opponents."""
        for games in self._same.values():
            for (one, mine), (two, other) in permutations(games, 2):
                self._met(one, mine, two, other)
        self._same.clear()
        return {pair: HeadToHead(*count) for pair, count in self._counts.items()}

    def paces(self) -> dict[str, ThinkingTime]:
        """The time per action of each bot that was asked at all."""
        return {
            name: ThinkingTime(least, self._spent[name] / self._asked[name], most)
            for name, (least, most) in self._means.items()
        }


def _thinned(row: Sequence[float]) -> list[tuple[int, float]]:
    """At most so many points of a course, each with the number of its game, the last one too."""
    step = max(1, ceil(len(row) / POINTS))
    kept = {*range(len(row) - 1, -1, -step), len(row) - 1}
    return [(place + 1, row[place]) for place in sorted(kept)]
