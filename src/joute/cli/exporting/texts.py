"""The plots of a contest as text, for a terminal or a file."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from math import floor, log10
from typing import TYPE_CHECKING

from joute.contest.report import plots
from joute.contest.report.plots import COURSE, CROSS, ELO, RATING, TIME
from joute.contest.report.scales import Scale, even_scale, log_scale
from joute.i18n.figures import figure, short
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.report.comparisons import Meeting
    from joute.contest.report.plots import Span, Spans
    from joute.contest.report.report import Report

LONGEST_NAME = 20  # characters
BAR = 48  # columns of a scale, where there is room for it
LEAST_BAR = 16
VALUE = 9  # columns of a number
SPARKS = "▁▂▃▄▅▆▇█"
SHADES = " ░▒▓█"  # of a score from 0 to 1
CELL = 6  # columns of a cell of the matrix


def text_plot(report: Report, kind: str) -> str:
    """The plot of a kind, one of `joute.contest.report.plots.KINDS`, as lines of text."""
    return "\n".join(line.rstrip() for line in _WRITTEN[kind](report)) + "\n"


def _ratings(report: Report) -> list[str]:
    spans = plots.ratings(report)
    digits = 0 if spans.unit == ELO else 1
    return _spans(spans, say(f"plot.{spans.unit}"), even_scale, digits, spans.unit == ELO)


def _times(report: Report) -> list[str]:
    return _spans(plots.times(report), say("plot.ms"), log_scale, 1, False)


def _spans(
    spans: Spans, title: str, scale_of: Callable[[list[float]], Scale], digits: int, sign: bool
) -> list[str]:
    values = [each for row in spans.rows for each in row[1:4] if each is not None]
    scale, names = scale_of(values), _widest(row.name for row in spans.rows)
    bar = _bar(names)
    lines = [title, ""]
    for row in spans.rows:
        name = short(row.name, LONGEST_NAME).ljust(names)
        if row.value is None:
            reason = say(f"plot.unrated.{row.reason}") if row.reason else say("plot.unknown")
            lines.append(f"{name}  {reason}")
        else:
            label = figure(row.value, digits, sign).rjust(VALUE)
            lines.append(f"{name}  {_whisker(row, scale, bar)}{label}")
    low, high = (_tick(end, scale) for end in (scale.low, scale.high))
    return [*lines, " " * (names + 2) + low + high.rjust(bar - len(low))]


def _whisker(row: Span, scale: Scale, columns: int) -> str:
    cells = [" "] * columns

    def column(value: float) -> int:
        return min(columns - 1, max(0, round(scale.place(value) * (columns - 1))))

    if row.low is not None and row.high is not None:
        first, last = column(row.low), column(row.high)
        cells[first : last + 1] = ["─"] * (last + 1 - first)
        cells[first], cells[last] = "├", "┤"
    cells[column(row.value or 0.0)] = "◆"
    return "".join(cells)


def _cross(report: Report) -> list[str]:
    """The matrix, as many columns of it as there is room for."""
    found = plots.matrix(report)
    names = _widest(found.names)
    room = max(1, (_columns() - names - 6) // CELL)
    columns = found.names[:room]
    heads = "".join(str(number).rjust(CELL) for number in range(1, len(columns) + 1))
    lines = [say("plot.cross"), "", " " * (names + 5) + heads]
    for number, name in enumerate(found.names, start=1):
        cells = [_cell(found.cross.get((name, other)), name == other) for other in columns]
        label = short(name, LONGEST_NAME).ljust(names)
        lines.append(f"{number:>3}  {label}{''.join(cells)}")
    if len(columns) < len(found.names):
        lines.append(say("plot.first", shown=len(columns), known=len(found.names)))
    return [*lines, say("plot.cross.text")]


def _cell(met: Meeting | None, self: bool) -> str:
    if met is None:
        return ("-" if self else ".").rjust(CELL)
    shade = SHADES[min(len(SHADES) - 1, int(met.score * len(SHADES)))]
    return f"{shade}{figure(100 * met.score).rjust(3)}".rjust(CELL)


def _courses(report: Report) -> list[str]:
    found = plots.course(report)
    rows = {name: row for name, row in found.rows.items() if row}
    names = _widest(rows)
    bar = _bar(names)
    scale = even_scale([value for row in rows.values() for value in row[len(row) // 10 :]])
    lines = [say(f"plot.course.{found.unit}"), ""]
    for name, row in rows.items():
        label = figure(row[-1], 1).rjust(VALUE)
        marks = "".join(_spark(value, scale) for value in _sampled(row, bar))
        lines.append(f"{short(name, LONGEST_NAME).ljust(names)}  {marks.ljust(bar)}{label}")
    low, high = (_tick(end, scale) for end in (scale.low, scale.high))
    return [*lines, say("plot.course.text", low=low, high=high)]


def _spark(value: float, scale: Scale) -> str:
    place = min(1.0, max(0.0, scale.place(value)))
    return SPARKS[min(len(SPARKS) - 1, int(place * len(SPARKS)))]


def _sampled(row: list[float], most: int) -> list[float]:
    """At most so many values of a row, evenly spread, the last one included."""
    if len(row) <= most:
        return row
    return [row[(place + 1) * len(row) // most - 1] for place in range(most)]


def _tick(value: float, scale: Scale) -> str:
    return figure(value, max(0, -floor(log10(value))) if scale.logarithmic else scale.digits)


def _widest(names: Iterable[str]) -> int:
    return max((min(len(name), LONGEST_NAME) for name in names), default=0)


def _bar(names: int) -> int:
    return max(LEAST_BAR, min(BAR, _columns() - names - VALUE - 2))


def _columns() -> int:
    return shutil.get_terminal_size().columns


_WRITTEN: dict[str, Callable[[Report], list[str]]] = {
    RATING: _ratings,
    CROSS: _cross,
    COURSE: _courses,
    TIME: _times,
}
