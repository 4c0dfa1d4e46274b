"""The plots of a contest as data: values on a scale; `drawing` and the terminal draw them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from joute.contest.ranking.ranking import Score, Standing
from joute.contest.rating.rating import Rating
from joute.contest.report.report import Course, Report
from joute.contest.schedule.formats import Table
from joute.i18n.figures import between, figure
from joute.i18n.words import say

RATING, CROSS, COURSE, TIME = KINDS = ("rating", "cross", "course", "time")

ELO, PERCENT, POINTS, MS = "elo", "percent", "points", "ms"
"""Units."""

TICKS = 6  # about how many round numbers are marked
LEAST = 1e-3  # milliseconds, the least that a logarithmic scale shows
SETTLING = 10  # a course is settled after this part of its points


class Axis(NamedTuple):
    """A scale from `low` to `high`, which differ."""

    low: float
    high: float
    ticks: list[float]  # the numbers to be marked
    digits: int  # decimals that they need
    logarithmic: bool = False

    def place(self, value: float) -> float:
        """The place of a value, from 0 at the low end to 1 at the high one."""
        held = min(max(value, self.low), self.high)
        if not self.logarithmic:
            return (held - self.low) / (self.high - self.low)
        low, high = log10(self.low), log10(self.high)
        return (log10(held) - low) / (high - low)

    def text(self, tick: float) -> str:
        """A tick in words."""
        return figure(tick, max(0, -floor(log10(tick))) if self.logarithmic else self.digits)


class Point(NamedTuple):
    """A bot's value between two ends, any of which may be unknown."""

    name: str
    low: float | None
    value: float | None
    high: float | None
    reason: str = ""  # why there is no rating, one of `joute.contest.rating`


class Intervals(NamedTuple):
    """A value of every bot on one scale, best first."""

    unit: str
    points: list[Point]
    scale: Axis

    @property
    def title(self) -> str:
        """The heading."""
        return say(f"plot.{self.unit}")

    @property
    def leading(self) -> tuple[float, float] | None:
        """The interval of the first bot; who reaches into it is not told apart from it yet."""
        first = next((point for point in self.points if point.value is not None), None)
        if self.unit == MS or first is None or first.low is None or first.high is None:
            return None
        return first.low, first.high

    def percent(self, value: float) -> float:
        """The place of a value in percent of the scale."""
        return round(100 * self.scale.place(value), 2)

    def text(self, point: Point) -> str:
        """The value of a bot, or why there is none."""
        if point.value is None:
            return say(f"plot.unrated.{point.reason}") if point.reason else say("plot.unknown")
        return figure(point.value, 0 if self.unit == ELO else 1, sign=self.unit == ELO)

    def interval(self, point: Point) -> str:
        """The interval of a bot; "" where it is not known."""
        if point.low is None or point.high is None:
            return ""
        return between((point.low, point.high), digits=0 if self.unit == ELO else 1)


class Courses(NamedTuple):
    """The mean score of every bot after each of its games, in the order of the standings."""

    title: str
    rows: Mapping[str, Course]
    scale: Axis
    most: int  # games of the bot that has most


def ratings(report: Report) -> Intervals:
    """Ratings with their 95 % intervals; where there are none, the scores with theirs."""
    found = [line.rating for line in report.table if isinstance(line, Standing) and line.rating]
    if any(rating.elo is not None for rating in found):
        # A bot that won every game has no rating, but is not the weakest.
        found.sort(key=lambda each: (each.reason != "won", each.elo is None, -(each.elo or 0.0)))
        points = [_point(each.name, each.elo, each.interval, 1, each.reason) for each in found]
        return _intervals(ELO, points)
    unit, factor = (POINTS, 1.0) if report.alone else (PERCENT, 100.0)
    points = []
    for line in report.table:
        value = line.mean if isinstance(line, Score) else line.score
        points.append(_point(line.name, value, line.interval, factor))
    return _intervals(unit, points)


def _point(
    name: str,
    value: float | None,
    interval: Sequence[float] | None,
    factor: float,
    reason: str = "",
) -> Point:
    ends = [None, None] if interval is None else [factor * end for end in interval]
    return Point(name, ends[0], None if value is None else factor * value, ends[1], reason)


def _intervals(unit: str, points: list[Point]) -> Intervals:
    known = (each for point in points for each in point[1:4] if each is not None)
    return Intervals(unit, points, even_scale(known))


def times(report: Report) -> Intervals:
    """Milliseconds per action of every bot: in its quickest game, on average, in its slowest."""
    names = [line.name for line in report.table if line.name in report.paces]
    points = [Point(name, *report.paces[name]) for name in names]
    known = [each for name in names for each in report.paces[name]]
    return Intervals(MS, points, log_scale(known))


def course(report: Report) -> Courses:
    """How every bot's score came about."""
    unit, factor = (POINTS, 1.0) if report.alone else (PERCENT, 100.0)
    rows = {
        name: [(game, factor * score) for game, score in points]
        for name, points in report.courses.items()
    }
    # The first games say little and would flatten all that follows.
    settled = [score for row in rows.values() for _, score in row[len(row) // SETTLING :]]
    most = max((row[-1][0] for row in rows.values()), default=1)
    return Courses(say(f"plot.course.{unit}"), rows, even_scale(settled), most)


def rated(table: Table) -> list[Rating]:
    """The ratings that are known, the strongest first."""
    found = [line.rating for line in table if isinstance(line, Standing) and line.rating]
    known = (rating for rating in found if rating.elo is not None)
    return sorted(known, key=lambda rating: -(rating.elo or 0.0))


def even_scale(values: Iterable[float]) -> Axis:
    """A scale whose ends are round numbers around all values."""
    values = list(values) or [0.0, 1.0]
    least, most = min(values), max(values)
    if least == most:
        least, most = least - 1, most + 1
    step = _round_step((most - least) / TICKS)
    first, last = floor(least / step), ceil(most / step)
    ticks = [step * number for number in range(first, last + 1)]
    return Axis(ticks[0], ticks[-1], ticks, max(0, -floor(log10(step))))


def log_scale(values: Iterable[float]) -> Axis:
    """A scale whose ends are powers of ten around all values; zero is at its low end."""
    known = [value for value in values if value >= LEAST] or [1.0]
    first, last = floor(log10(min(known))), ceil(log10(max(known)))
    last = max(last, first + 1)
    return Axis(10.0**first, 10.0**last, [10.0**each for each in range(first, last + 1)], 0, True)


def _round_step(least: float) -> float:
    """The least of 1, 2, 5, 10, 20 ... that is not below `least`."""
    power: float = 10.0 ** floor(log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * (1 - 1e-9))
