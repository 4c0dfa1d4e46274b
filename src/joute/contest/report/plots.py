"""What the plots of a contest show, apart from how it is drawn."""

from __future__ import annotations

from typing import NamedTuple

from joute.contest.ranking.ranking import Standing
from joute.contest.ranking.scores import Score
from joute.contest.report.comparisons import Cross, courses, cross, paces
from joute.contest.report.report import Report

RATING, CROSS, COURSE, TIME = KINDS = ("rating", "cross", "course", "time")

ELO, PERCENT, POINTS, MS = "elo", "percent", "points", "ms"
"""Units."""


class Span(NamedTuple):
    """A bot's value between two ends, any of which may be unknown."""

    name: str
    low: float | None
    value: float | None
    high: float | None
    reason: str = ""  # why a rating is not known, one of `joute.contest.rating`


class Spans(NamedTuple):
    """A value of every bot, best first."""

    unit: str
    rows: list[Span]


class Matrix(NamedTuple):
    """Who met whom, in the order of the standings."""

    names: list[str]
    cross: Cross


class Courses(NamedTuple):
    """The mean score of every bot after each of its games, in the order of the standings."""

    unit: str
    rows: dict[str, list[float]]


def ratings(report: Report) -> Spans:
    """Ratings with their 95 % intervals; where there are none, the scores with theirs."""
    found = [line.rating for line in report.table if isinstance(line, Standing) and line.rating]
    if any(rating.elo is not None for rating in found):
        found.sort(key=lambda rating: (rating.elo is None, -(rating.elo or 0.0)))
        rows = [Span(each.name, *_ends(each.elo, each.interval), each.reason) for each in found]
        return Spans(ELO, rows)
    unit, factor = _unit(report)
    rows = []
    for line in report.table:
        value = line.mean if isinstance(line, Score) else line.score
        low, known, high = (_scaled(each, factor) for each in _ends(value, line.interval))
        rows.append(Span(line.name, low, known, high))
    return Spans(unit, rows)


def _ends(
    value: float | None, interval: tuple[float, float] | None
) -> tuple[float | None, float | None, float | None]:
    low, high = (None, None) if interval is None else interval
    return low, value, high


def _scaled(value: float | None, factor: float) -> float | None:
    return None if value is None else factor * value


def matrix(report: Report) -> Matrix:
    """Who met whom."""
    return Matrix(report.ranked, cross(report))


def course(report: Report) -> Courses:
    """How every bot's score came about."""
    unit, factor = _unit(report)
    found = courses(report)
    return Courses(unit, {name: [factor * each for each in found[name]] for name in found})


def times(report: Report) -> Spans:
    """Milliseconds per action of every bot: in its quickest game, on average, in its slowest."""
    found = paces(report)
    names = [line.name for line in report.table if line.name in found]
    return Spans(MS, [Span(name, *found[name]) for name in names])


def _unit(report: Report) -> tuple[str, float]:
    """The unit of scores, and how many there are in a whole one."""
    return (POINTS, 1.0) if report.alone else (PERCENT, 100.0)
