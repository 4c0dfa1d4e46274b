"""Who beat whom, how scores came about, and how long bots thought."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import permutations
from typing import NamedTuple

from joute.contest.ranking.ranking import seat_scores
from joute.contest.report.report import Report
from joute.store.game import Game


class Meeting(NamedTuple):
    """The games of one bot against another: how many it finished above it, level, below it."""

    above: int
    level: int
    below: int

    @property
    def games(self) -> int:
        """How many there were."""
        return sum(self)

    @property
    def score(self) -> float:
        """The share of them that it finished above, 0..1; level ones count half."""
        return (self.above + self.level / 2) / self.games


class Pace(NamedTuple):
    """Processor milliseconds per action asked of a bot: of its games' means, and of all."""

    least: float  # of the quickest game
    mean: float  # over all actions
    most: float  # of the slowest game


Cross = dict[tuple[str, str], Meeting]
"""The meetings by the names of both bots; each is there from either side."""


def cross(report: Report) -> Cross:
    """Every two bots that met as opponents, without the disqualified.

    Bots that play alone meet in the points of the same map and seed.
    """
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    ranked = set(report.ranked)
    for me, mine, other, his in _pairs_alone(report) if report.alone else _pairs(report):
        if me in ranked and other in ranked:
            counts[me, other][0 if mine > his else 1 if mine == his else 2] += 1
    return {pair: Meeting(*count) for pair, count in counts.items()}


def _pairs(report: Report) -> Iterator[tuple[str, float, str, float]]:
    """Every two opponents of every game with their returns, from either side."""
    for game in report.games:
        side = {seat: min(team) for team in report.teams[game.map] for seat in team}
        for one, two in permutations(range(len(game.bots)), 2):
            if side.get(one, one) != side.get(two, two):
                yield game.bots[one], game.returns[one], game.bots[two], game.returns[two]


def _pairs_alone(report: Report) -> Iterator[tuple[str, float, str, float]]:
    """Every two bots in the same game alone, with their points, from either side."""
    same: dict[tuple[str, int], list[Game]] = defaultdict(list)
    for game in report.games:
        same[game.map, game.set_number].append(game)
    for games in same.values():
        for one, two in permutations(games, 2):
            yield one.bots[0], one.points[0], two.bots[0], two.points[0]


def courses(report: Report) -> dict[str, list[float]]:
    """The mean score (0..1, or points) of each bot after its first game, its second, and so on.

    The disqualified are left out. The games are in the order of the schedule, whatever the order
    they were played in.
    """
    sums: dict[str, float] = defaultdict(float)
    found: dict[str, list[float]] = {name: [] for name in report.ranked}
    for game in report.games:
        alone = report.alone
        scores = game.points if alone else seat_scores(game.returns, report.teams[game.map])
        for name, score in zip(game.bots, scores, strict=True):
            if name in found:
                sums[name] += score
                found[name].append(sums[name] / (len(found[name]) + 1))
    return found


def paces(report: Report) -> dict[str, Pace]:
    """How long each bot that was asked at all took for an action."""
    spent: dict[str, float] = defaultdict(float)
    asked: dict[str, int] = defaultdict(int)
    means: dict[str, list[float]] = defaultdict(list)
    for game in report.games:
        for name, cpu_ms, actions in zip(game.bots, game.cpu_ms, game.asked, strict=True):
            if actions:
                spent[name] += cpu_ms
                asked[name] += actions
                means[name].append(cpu_ms / actions)
    return {name: Pace(min(of), spent[name] / asked[name], max(of)) for name, of in means.items()}
