"""The plots of a contest: their data, values on scales, and their pictures as SVG.

The terminal draws the same data in its own way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from joute.contest.ranking.ranking import Score, Standing
from joute.contest.rating.rating import Rating
from joute.contest.report.report import Course, HeadToHead, Report
from joute.contest.schedule.formats import Table
from joute.i18n.figures import between, figure, short
from joute.i18n.words import say
from joute.svg import Svg

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
    """The course of every bot's score."""
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


WIDTH = 720
TOP, FOOT = 64, 44  # above and below what is plotted
LINES, HEIGHT = 600, 280  # the width of a picture of courses, the height of its lines
NAMES = 150  # the margin that holds names
VALUES = 70  # the margin that holds values
LONGEST_NAME = 18  # characters
ROW = 28  # from one bot to the next
MOST_ROWS = 60  # bots; a picture of more could not be read
MOST_CELLS = 40  # bots of a matrix, likewise
MOST_LINES = 6  # bots whose course has a colour
SEATS = (
    ("blue", ""), ("orange", "9 4"), ("green", "2 4"), ("red", "12 3 2 3"), ("purple", "14 5"),
    ("ink", "6 3 1 3"),
)  # fmt: skip


def picture(report: Report, kind: str) -> Svg:
    """The plot of a kind, one of `joute.contest.report.plots.KINDS`."""
    return _DRAWN[kind](report)


def _drawn_intervals(plot: Intervals) -> Svg:
    shown = plot.points[:MOST_ROWS]
    picture = Svg(WIDTH, TOP + ROW * len(shown) + FOOT, plot.title)
    _title(picture, plot.title, len(shown), len(plot.points))

    def across(value: float) -> float:
        return NAMES + (WIDTH - VALUES - NAMES) * plot.scale.place(value)

    height = ROW * len(shown)
    if plot.leading is not None:
        left, right = (across(end) for end in plot.leading)
        picture.rectangle(left, TOP, right - left, height, "wash")
    for tick in plot.scale.ticks:
        picture.line([(across(tick), TOP), (across(tick), TOP + height)], "grid", 1)
        picture.text(across(tick), TOP + height + 20, plot.scale.text(tick), 12, "dim", "middle")
    for number, point in enumerate(shown):
        y = TOP + ROW * (number + 0.5)
        picture.text(NAMES - 14, y + 5, short(point.name, LONGEST_NAME), 14, anchor="end")
        if point.value is None:
            picture.text(NAMES, y + 5, plot.text(point), 12, "dim")
            continue
        if point.low is not None and point.high is not None:
            low, high = across(point.low), across(point.high)
            if plot.unit == MS:
                picture.line([(low, y), (high, y)], "dim")
                picture.ring(high, y, 4.5, "blue")
            else:
                picture.whisker(low, high, y, "ink")
        picture.lozenge(across(point.value), y, 6.5, "blue" if plot.unit == MS else "accent")
        picture.text(WIDTH - 12, y + 5, plot.text(point), 13, anchor="end")
    return picture


def _cross(report: Report) -> Svg:
    names = report.ranked[:MOST_CELLS]
    cell = max(15.0, min(44.0, (WIDTH - NAMES - 16) / max(1, len(names))))
    picture = Svg(WIDTH, TOP + cell * len(names) + FOOT, say("plot.cross"))
    _title(picture, say("plot.cross"), len(names), len(report.ranked))
    for row, name in enumerate(names):
        y = TOP + cell * row
        label = f"{row + 1}. {short(name, LONGEST_NAME - 4)}"
        picture.text(NAMES - 10, y + cell / 2 + 5, label, min(14, cell - 2), anchor="end")
        column = NAMES + cell * (row + 0.5)
        picture.text(column, TOP - 8, str(row + 1), min(12, cell - 3), "dim", "middle")
        for column_number, other in enumerate(names):
            x = NAMES + cell * column_number
            _cell(picture, x, y, cell, report.cross.get((name, other)), name == other)
    below = TOP + cell * len(names) + 24
    picture.text(NAMES, below, say("plot.cross.legend"), 12, "dim")
    return picture


def _cell(
    picture: Svg, x: float, y: float, size: float, met: HeadToHead | None, self: bool
) -> None:
    """A cell of the matrix: blue above a half, orange below, and the score in percent."""
    inner = size - 1.5
    if met is None:
        picture.rectangle(x, y, inner, inner, "grid" if self else "free")
        return
    picture.rectangle(x, y, inner, inner, "free")
    # No stronger, so that the figure can be read on it by day and by night.
    strength = round(0.45 * abs(2 * met.score - 1), 3)
    picture.rectangle(x, y, inner, inner, "blue" if met.score > 0.5 else "orange", strength)
    if size >= 24:
        picture.text(x + inner / 2, y + inner / 2 + 4, figure(100 * met.score), 12, "ink", "middle")


def _courses(report: Report) -> Svg:
    plot = course(report)
    picture = Svg(LINES, TOP + HEIGHT + FOOT, plot.title)
    picture.text(20, 32, plot.title, 17, bold=True)
    left, right, foot = 50.0, LINES - NAMES, TOP + HEIGHT

    def at(game: int, value: float) -> tuple[float, float]:
        x = left + (right - left) * (game - 1) / max(1, plot.most - 1)
        return x, foot - HEIGHT * plot.scale.place(value)

    for tick in plot.scale.ticks:
        y = at(1, tick)[1]
        picture.line([(left, y), (right, y)], "grid", 1)
        picture.text(left - 8, y + 5, plot.scale.text(tick), 14, "dim", "end")
    ends = ((left, "1"), (right, str(plot.most)))
    for x, text in (*ends, ((left + right) / 2, say("plot.course.games"))):
        picture.text(x, foot + 20, text, 14, "dim", "middle")
    for row in list(plot.rows.values())[MOST_LINES:]:
        picture.line([at(*point) for point in row], "grid", 1.2)
    labels = _Labels(TOP, foot)
    for (name, row), (colour, dashes) in zip(plot.rows.items(), SEATS, strict=False):
        picture.line([at(*point) for point in row], colour, 2.4, dashes)
        y = labels.place(at(*row[-1])[1])
        picture.lozenge(right + 14, y, 5, colour)
        picture.text(right + 24, y + 5, short(name, LONGEST_NAME - 3), 14)
    return picture


class _Labels:
    """Places for labels at the end of lines, none over another."""

    def __init__(self, top: float, foot: float, apart: float = 16) -> None:
        self._free = [top + apart * number for number in range(int((foot - top) / apart) + 1)]

    def place(self, y: float) -> float:
        """The free place nearest to `y`, which is taken now."""
        best = min(self._free, key=lambda each: abs(each - y))
        self._free.remove(best)
        return best


def _title(picture: Svg, title: str, shown: int, known: int) -> None:
    picture.text(20, 32, title, 17, bold=True)
    if shown < known:
        picture.text(20, 50, say("plot.first", shown=shown, known=known), 12, "dim")


_DRAWN: dict[str, Callable[[Report], Svg]] = {
    RATING: lambda report: _drawn_intervals(ratings(report)),
    CROSS: _cross,
    COURSE: _courses,
    TIME: lambda report: _drawn_intervals(times(report)),
}
