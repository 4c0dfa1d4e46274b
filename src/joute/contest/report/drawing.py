"""The plots of a contest as SVG: for files, for exported pages and for those of the server."""

from __future__ import annotations

from collections.abc import Callable

from joute.contest.report import plots
from joute.contest.report.plots import COURSE, CROSS, MS, RATING, TIME, Intervals
from joute.contest.report.report import HeadToHead, Report
from joute.i18n.figures import figure, short
from joute.i18n.words import say
from joute.svg import Svg

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


def _ratings(report: Report) -> Svg:
    return _intervals(plots.ratings(report))


def _times(report: Report) -> Svg:
    return _intervals(plots.times(report))


def _intervals(plot: Intervals) -> Svg:
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
    plot = plots.course(report)
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
    RATING: _ratings,
    CROSS: _cross,
    COURSE: _courses,
    TIME: _times,
}
