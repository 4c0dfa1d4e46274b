"""The plots of a contest as SVG."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, floor, log10
from typing import TYPE_CHECKING

from joute.cli.svg import Svg
from joute.contest.report import plots
from joute.contest.report.plots import COURSE, CROSS, ELO, RATING, TIME
from joute.contest.report.scales import Scale, even_scale, log_scale
from joute.i18n.figures import figure, short
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.report.comparisons import Meeting
    from joute.contest.report.plots import Spans
    from joute.contest.report.report import Report

WIDTH = 720
TOP, FOOT = 64, 44  # above and below what is plotted
NAMES = 150  # the margin that holds names
LONGEST_NAME = 18  # characters
ROW = 28  # from one bot to the next
MOST_ROWS = 60  # bots; a picture of more could not be read
MOST_CELLS = 40  # bots of a matrix, likewise
MOST_LINES = 6  # bots whose course has a colour
CAP = 5  # half the height of the ends of an interval
POINTS = 120  # of a line, at most
SEATS = (
    ("blue", ""), ("orange", "9 4"), ("green", "2 4"), ("red", "12 3 2 3"), ("purple", "14 5"),
    ("ink", "6 3 1 3"),
)  # fmt: skip


def picture(report: Report, kind: str) -> Svg:
    """The plot of a kind, one of `joute.contest.report.plots.KINDS`."""
    return _DRAWN[kind](report)


def _ratings(report: Report) -> Svg:
    spans = plots.ratings(report)
    rows = spans.rows[:MOST_ROWS]
    picture, scale = _spans(spans, say(f"plot.{spans.unit}"), even_scale)
    # Whoever reaches into the leader's interval is not told apart from it yet.
    if rows and rows[0].low is not None and rows[0].high is not None:
        left, right = (_across(scale, end) for end in (rows[0].low, rows[0].high))
        picture.rectangle(left, TOP, right - left, ROW * len(rows), "wash")
    _grid(picture, scale, ROW * len(rows))
    for number, row in enumerate(rows):
        y = TOP + ROW * (number + 0.5)
        picture.text(NAMES - 14, y + 5, short(row.name, LONGEST_NAME), 14, anchor="end")
        if row.value is None:
            picture.text(NAMES, y + 5, _unknown(row.reason), 12, "dim")
            continue
        x = _across(scale, row.value)
        if row.low is not None and row.high is not None:
            _whisker(picture, _across(scale, row.low), _across(scale, row.high), y)
        picture.lozenge(x, y, 6.5, "accent")
        label = figure(row.value, 0 if spans.unit == ELO else 1, sign=spans.unit == ELO)
        picture.text(WIDTH - 12, y + 5, label, 13, anchor="end")
    return picture


def _times(report: Report) -> Svg:
    spans = plots.times(report)
    picture, scale = _spans(spans, say("plot.ms"), log_scale)
    _grid(picture, scale, ROW * len(spans.rows[:MOST_ROWS]))
    for number, row in enumerate(spans.rows[:MOST_ROWS]):
        y = TOP + ROW * (number + 0.5)
        picture.text(NAMES - 14, y + 5, short(row.name, LONGEST_NAME), 14, anchor="end")
        low, mean, high = (_across(scale, each or 0.0) for each in row[1:4])
        picture.line([(low, y), (high, y)], "dim", 2)
        picture.ring(high, y, 4.5, "blue")
        picture.lozenge(mean, y, 6.5, "blue")
        picture.text(WIDTH - 12, y + 5, figure(row.value, 1), 13, anchor="end")
    return picture


def _spans(spans: Spans, title: str, scale_of: Callable[[list[float]], Scale]) -> tuple[Svg, Scale]:
    """An empty picture with a row for each bot, and the scale of its values."""
    shown = spans.rows[:MOST_ROWS]
    values = [each for row in shown for each in row[1:4] if each is not None]
    picture = Svg(WIDTH, TOP + ROW * len(shown) + FOOT, title)
    _title(picture, title, len(shown), len(spans.rows))
    return picture, scale_of(values)


def _cross(report: Report) -> Svg:
    found = plots.matrix(report)
    names = found.names[:MOST_CELLS]
    cell = max(15.0, min(44.0, (WIDTH - NAMES - 16) / max(1, len(names))))
    picture = Svg(WIDTH, TOP + cell * len(names) + FOOT, say("plot.cross"))
    _title(picture, say("plot.cross"), len(names), len(found.names))
    for row, name in enumerate(names):
        y = TOP + cell * row
        label = f"{row + 1}. {short(name, LONGEST_NAME - 4)}"
        picture.text(NAMES - 10, y + cell / 2 + 5, label, min(14, cell - 2), anchor="end")
        column = NAMES + cell * (row + 0.5)
        picture.text(column, TOP - 8, str(row + 1), min(12, cell - 3), "dim", "middle")
        for column_number, other in enumerate(names):
            x = NAMES + cell * column_number
            _cell(picture, x, y, cell, found.cross.get((name, other)), name == other)
    below = TOP + cell * len(names) + 24
    picture.text(NAMES, below, say("plot.cross.legend"), 12, "dim")
    return picture


def _cell(picture: Svg, x: float, y: float, size: float, met: Meeting | None, self: bool) -> None:
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
    found = plots.course(report)
    title = say(f"plot.course.{found.unit}")
    height = 300
    picture = Svg(WIDTH, TOP + height + FOOT, title)
    picture.text(20, 32, title, 17, bold=True)
    rows = {name: _thinned(row) for name, row in found.rows.items() if row}
    # The first games say little and would flatten all that follows.
    settled = [value for row in rows.values() for place, value in row[len(row) // 10 :]]
    scale = even_scale(settled)
    most = max((len(row) for row in found.rows.values()), default=1)
    left, right = 60.0, WIDTH - NAMES - 10.0

    def at(game: int, value: float) -> tuple[float, float]:
        held = min(max(value, scale.low), scale.high)
        x = left + (right - left) * (game - 1) / max(1, most - 1)
        return x, TOP + height * (1 - scale.place(held))

    _course_grid(picture, scale, at, most)
    for row in list(rows.values())[MOST_LINES:]:
        picture.line([at(*point) for point in row], "grid", 1.2)
    labels = _Labels(TOP, TOP + height)
    for (name, row), (colour, dashes) in zip(rows.items(), SEATS, strict=False):
        picture.line([at(*point) for point in row], colour, 2.4, dashes)
        y = labels.place(at(*row[-1])[1])
        picture.lozenge(right + 14, y, 5, colour)
        picture.text(right + 24, y + 4, short(name, LONGEST_NAME - 2), 12)
    return picture


def _course_grid(
    picture: Svg, scale: Scale, at: Callable[[int, float], tuple[float, float]], most: int
) -> None:
    left, right = at(1, scale.low)[0], at(max(2, most), scale.low)[0]
    for tick in scale.ticks:
        y = at(1, tick)[1]
        picture.line([(left, y), (right, y)], "grid", 1)
        picture.text(left - 8, y + 4, figure(tick, scale.digits), 12, "dim", "end")
    below = at(1, scale.low)[1] + 18
    picture.text(left, below, "1", 12, "dim", "middle")
    picture.text(right, below, str(most), 12, "dim", "middle")
    picture.text((left + right) / 2, below, say("plot.course.games"), 12, "dim", "middle")


class _Labels:
    """Places for labels at the end of lines, none over another."""

    def __init__(self, top: float, foot: float, apart: float = 16) -> None:
        self._free = [top + apart * number for number in range(int((foot - top) / apart) + 1)]

    def place(self, y: float) -> float:
        """The free place nearest to `y`, which is taken now."""
        best = min(self._free, key=lambda each: abs(each - y))
        self._free.remove(best)
        return best


def _thinned(row: list[float]) -> list[tuple[int, float]]:
    """At most POINTS of a course with the number of their game, the last one included."""
    step = max(1, ceil(len(row) / POINTS))
    kept = {*range(len(row) - 1, -1, -step), len(row) - 1}
    return [(place + 1, row[place]) for place in sorted(kept)]


def _title(picture: Svg, title: str, shown: int, known: int) -> None:
    picture.text(20, 32, title, 17, bold=True)
    if shown < known:
        picture.text(20, 50, say("plot.first", shown=shown, known=known), 12, "dim")


def _grid(picture: Svg, scale: Scale, height: float) -> None:
    for tick in scale.ticks:
        x = _across(scale, tick)
        picture.line([(x, TOP), (x, TOP + height)], "grid", 1)
        label = figure(tick, max(0, -floor(log10(tick))) if scale.logarithmic else scale.digits)
        picture.text(x, TOP + height + 20, label, 12, "dim", "middle")


def _across(scale: Scale, value: float) -> float:
    left, right = NAMES, WIDTH - 70
    return left + (right - left) * scale.place(value)


def _whisker(picture: Svg, low: float, high: float, y: float) -> None:
    picture.line([(low, y), (high, y)], "ink", 2)
    for x in (low, high):
        picture.line([(x, y - CAP), (x, y + CAP)], "ink", 2)


def _unknown(reason: str) -> str:
    """Why a bot has no value."""
    return say(f"plot.unrated.{reason}") if reason else say("plot.unknown")


_DRAWN: dict[str, Callable[[Report], Svg]] = {
    RATING: _ratings,
    CROSS: _cross,
    COURSE: _courses,
    TIME: _times,
}
