"""`joute plot FILE [KIND]`: the plots of a contest, in the terminal or as SVG."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from joute.cli.usage import UsageFault, check_file
from joute.files import put
from joute.i18n.figures import distinct, figure
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.config.contest import Contest
    from joute.contest.report.plots import Axis, Intervals, Point
    from joute.contest.report.report import Course, HeadToHead, Report

LONGEST_NAME = 20  # characters
BAR = 48  # columns of a scale, where there is room for it
LEAST_BAR = 16
VALUE = 9  # columns of a number
SPARKS = "▁▂▃▄▅▆▇█"
SHADES = " ░▒▓█"  # of a score from 0 to 1
CELL = 6  # columns of a cell of the matrix


def plot(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="help.plot.file")],
    kind: Annotated[str | None, typer.Argument(metavar="KIND", help="help.plot.kind")] = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", metavar="PICTURE", help="help.plot.svg")
    ] = None,
) -> None:
    """The command; its help is in the catalogs."""
    from joute.cli.standings import print_gone
    from joute.contest.config.config import resolve
    from joute.contest.report.plots import KINDS, picture
    from joute.contest.report.report import read_report

    known = ", ".join(KINDS)
    if kind is not None and kind not in KINDS:
        raise UsageFault(say("error.choice", value=kind, known=known))
    if svg is not None and kind is None:
        raise UsageFault(say("plot.one", known=known))
    check_file("--svg", svg)
    contest = _kept(file) if file.is_dir() else resolve(file)
    print_gone(contest)
    report = read_report(contest)
    if not report.games:
        raise UsageFault(say("plot.unplayed"))
    if svg is not None and kind is not None:
        put(svg, picture(report, kind).written())
        print(say("plot.written", path=svg))
    else:
        print("\n".join(text_plot(report, each) for each in ([kind] if kind else KINDS)), end="")


def _kept(folder: Path) -> Contest:
    """The contest whose games a folder holds. Raises FolderError, UsageFault where it has many."""
    from joute.contest.folder import configured, contest_folders, opened_store

    found = contest_folders(folder)
    if len(found) > 1:
        known = ", ".join(str(each) for each in found)
        raise UsageFault(say("plot.several", folder=folder, known=known))
    with opened_store(found[0]) as store:
        return configured(found[0], store)


def text_plot(report: Report, kind: str) -> str:
    """The plot of a kind, one of `joute.contest.report.plots.KINDS`, as lines of text."""
    from joute.contest.report import plots

    if kind == plots.CROSS:
        lines = _cross(report)
    elif kind == plots.COURSE:
        lines = _courses(report)
    else:
        lines = _intervals(plots.ratings(report) if kind == plots.RATING else plots.times(report))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _intervals(plot: Intervals) -> list[str]:
    labels = _labels(point.name for point in plot.points)
    names = _widest(labels)
    bar = _bar(names)
    lines = [plot.title, ""]
    for point in plot.points:
        drawn = "" if point.value is None else _whisker(point, plot.scale, bar)
        label = plot.text(point) if point.value is None else plot.text(point).rjust(VALUE)
        lines.append(f"{labels[point.name]}  {drawn}{label}")
    low, high = (plot.scale.text(end) for end in (plot.scale.low, plot.scale.high))
    return [*lines, " " * (names + 2) + low + high.rjust(bar - len(low))]


def _whisker(point: Point, scale: Axis, columns: int) -> str:
    cells = [" "] * columns

    def column(value: float) -> int:
        return round(scale.place(value) * (columns - 1))

    if point.low is not None and point.high is not None:
        first, last = column(point.low), column(point.high)
        cells[first : last + 1] = ["─"] * (last + 1 - first)
        cells[first], cells[last] = "├", "┤"
    cells[column(point.value or 0.0)] = "◆"
    return "".join(cells)


def _cross(report: Report) -> list[str]:
    """The matrix, as many columns of it as there is room for."""
    labels = _labels(report.ranked)
    names = _widest(labels)
    room = max(1, (_columns() - names - 6) // CELL)
    columns = report.ranked[:room]
    heads = "".join(str(number).rjust(CELL) for number in range(1, len(columns) + 1))
    lines = [say("plot.cross"), "", " " * (names + 5) + heads]
    for number, name in enumerate(report.ranked, start=1):
        cells = [_cell(report.cross.get((name, other)), name == other) for other in columns]
        lines.append(f"{number:>3}  {labels[name]}{''.join(cells)}")
    if len(columns) < len(report.ranked):
        lines.append(say("plot.first", shown=len(columns), known=len(report.ranked)))
    return [*lines, say("plot.cross.text")]


def _cell(met: HeadToHead | None, self: bool) -> str:
    if met is None:
        return ("-" if self else ".").rjust(CELL)
    shade = SHADES[min(len(SHADES) - 1, int(met.score * len(SHADES)))]
    return f"{shade}{figure(100 * met.score).rjust(3)}".rjust(CELL)


def _courses(report: Report) -> list[str]:
    from joute.contest.report.plots import course

    plot = course(report)
    labels = _labels(plot.rows)
    bar = _bar(_widest(labels))
    lines = [plot.title, ""]
    for name, row in plot.rows.items():
        label = figure(row[-1][1], 1).rjust(VALUE)
        sparks = "".join(_spark(value, plot.scale) for value in _sampled(row, bar))
        lines.append(f"{labels[name]}  {sparks.ljust(bar)}{label}")
    low, high = (plot.scale.text(end) for end in (plot.scale.low, plot.scale.high))
    return [*lines, say("plot.course.text", low=low, high=high)]


def _spark(value: float, scale: Axis) -> str:
    return SPARKS[min(len(SPARKS) - 1, int(scale.place(value) * len(SPARKS)))]


def _sampled(row: Course, most: int) -> list[float]:
    """At most so many values of a course, evenly spread, the last one included."""
    values = [value for _, value in row]
    if len(values) <= most:
        return values
    return [values[(place + 1) * len(values) // most - 1] for place in range(most)]


def _labels(names: Iterable[str]) -> dict[str, str]:
    """The label of each name, all of one width."""
    found = distinct(names, LONGEST_NAME)
    width = max(map(len, found.values()), default=0)
    return {name: label.ljust(width) for name, label in found.items()}


def _widest(labels: Mapping[str, str]) -> int:
    return max(map(len, labels.values()), default=0)


def _bar(names: int) -> int:
    return max(LEAST_BAR, min(BAR, _columns() - names - VALUE - 2))


def _columns() -> int:
    return shutil.get_terminal_size().columns
