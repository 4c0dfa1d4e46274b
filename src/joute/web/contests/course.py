"""How the bots' scores came about, game by game: the lines of a plot."""

from __future__ import annotations

from typing import NamedTuple

from joute.contest.report.scales import Scale, even_scale
from joute.i18n.figures import figure, short
from joute.i18n.words import say
from joute.web.contests.summary import Summary

LEFT, RIGHT, TOP, FOOT = 50, 490, 20, 250  # of the field, in the units of the picture
MOST_LINES = 6  # bots whose line has a tincture of its own
LONGEST_NAME = 14  # characters
APART = 18  # of two labels


class Line(NamedTuple):
    """The line of a bot; `seat` is the tincture, None for a line in the background."""

    name: str
    seat: int | None
    path: str  # of SVG
    label: float  # the height of its name


class Plot(NamedTuple):
    """What the picture shows."""

    title: str
    lines: list[Line]
    ticks: list[tuple[float, str]]  # heights and figures
    most: int  # games of the bot that has most


def course_plot(summary: Summary) -> Plot | None:
    """The mean score of every bot after each of its games; None before there are any."""
    factor = 1.0 if summary.report.alone else 100.0
    rows = {
        name: [(game, factor * score) for game, score in points]
        for name, points in summary.courses.items()
    }
    most = max((points[-1][0] for points in rows.values()), default=0)
    if most < 2:
        return None
    # The first games say little and would flatten all that follows.
    settled = [score for points in rows.values() for _, score in points[len(points) // 10 :]]
    scale = even_scale(settled)
    lines = [
        Line(short(name, LONGEST_NAME), seat if seat < MOST_LINES else None,
             _path(points, scale, most), _height(scale, points[-1][1]))
        for seat, (name, points) in enumerate(rows.items())
    ]  # fmt: skip
    unit = "points" if summary.report.alone else "percent"
    return Plot(
        title=say(f"plot.course.{unit}"),
        lines=[*_apart(lines[:MOST_LINES]), *lines[MOST_LINES:]],
        ticks=[(_height(scale, tick), figure(tick, scale.digits)) for tick in scale.ticks],
        most=most,
    )


def _path(points: list[tuple[int, float]], scale: Scale, most: int) -> str:
    placed = (
        f"{LEFT + (RIGHT - LEFT) * (game - 1) / (most - 1):.1f} {_height(scale, score):.1f}"
        for game, score in points
    )
    return "M" + "L".join(placed)


def _height(scale: Scale, value: float) -> float:
    held = min(max(value, scale.low), scale.high)
    return round(FOOT - (FOOT - TOP) * scale.place(held), 1)


def _apart(lines: list[Line]) -> list[Line]:
    """The lines with their labels moved apart, none over another."""
    free = [TOP + APART * place for place in range(int((FOOT - TOP) / APART) + 1)]
    placed = []
    for line in lines:
        label = min(free, key=lambda each: abs(each - line.label))
        free.remove(label)
        placed.append(line._replace(label=label))
    return placed
