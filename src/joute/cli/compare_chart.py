"""A comparison of two bots as a picture: how often each wins, and its time per move."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from joute.cli.compare_table import milliseconds
from joute.contest.report.plots import log_scale
from joute.i18n.figures import short
from joute.i18n.words import say
from joute.svg import Svg

if TYPE_CHECKING:
    from joute.contest.comparison import Comparison, Side

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT = 150, 40  # margins; the bots' names stand on the left
SCORES, TIMES = 86, 262  # the tops of the two panels
ROW = 34  # from one bot to the next
PANEL = 2 * ROW + 16  # the height of a panel
COLOURS = ("blue", "orange")
LONGEST_NAME = 18  # characters
PERCENT_STEP = 10


def chart(found: Comparison) -> str:
    """An SVG of both bots' win rates with their intervals, and of their times on a log scale."""
    names = [short(side.name, LONGEST_NAME) for side in found.sides]
    title = say("compare.chart.title", game=found.game, one=names[0], other=names[1])
    picture = Svg(WIDTH, HEIGHT, title)
    picture.text(24, 32, title, 17, bold=True)
    _scores(picture, found.sides)
    _times(picture, found.sides)
    return picture.written()


def _scores(picture: Svg, sides: list[Side]) -> None:
    ends = [100 * end for side in sides for end in side.interval or (0.0, 1.0)]
    # Symmetrical about a half: what one bot wins the other loses.
    reach = max(
        PERCENT_STEP, PERCENT_STEP * ceil(max(abs(end - 50) for end in ends) / PERCENT_STEP)
    )
    low, high = 50 - reach, 50 + reach

    def place(percent: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (percent - low) / (high - low)

    ticks = {place(each): f"{each} %" for each in range(low, high + 1, PERCENT_STEP)}
    _panel(picture, SCORES, say("compare.chart.score"), ticks, [side.name for side in sides])
    picture.line([(place(50), SCORES), (place(50), SCORES + PANEL)], "dim", 1.5, "4 4")
    for row, side in enumerate(sides):
        if side.score is None or side.interval is None:
            continue
        y = _row(SCORES, row)
        first, last = (place(100 * end) for end in side.interval)
        picture.whisker(first, last, y, COLOURS[row])
        _value(picture, place(100 * side.score), y, row, f"{100 * side.score:.1f} %")


def _times(picture: Svg, sides: list[Side]) -> None:
    scale = log_scale(time for side in sides for time in (side.mean_ms, side.worst_ms) if time)

    def place(time: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * scale.place(time)

    ticks = {place(tick): f"{tick:g} ms" for tick in scale.ticks}
    _panel(picture, TIMES, say("compare.chart.time"), ticks, [side.name for side in sides])
    for row, side in enumerate(sides):
        if not side.mean_ms or not side.worst_ms:
            continue
        y = _row(TIMES, row)
        picture.line([(place(side.mean_ms), y), (place(side.worst_ms), y)], COLOURS[row], 1.5)
        picture.ring(place(side.worst_ms), y, 4.5, COLOURS[row])
        _value(picture, place(side.mean_ms), y, row, milliseconds(side.mean_ms))


def _panel(picture: Svg, top: int, title: str, ticks: dict[float, str], names: list[str]) -> None:
    """An empty panel: its title, the lines of its scale, and a row for each bot."""
    picture.text(LEFT, top - 12, title, 13)
    for x, label in ticks.items():
        picture.line([(x, top), (x, top + PANEL)], "grid", 1)
        picture.text(x, top + PANEL + 18, label, 12, "dim", "middle")
    for row, name in enumerate(names):
        picture.text(LEFT - 14, _row(top, row) + 5, short(name, LONGEST_NAME), 14, anchor="end")


def _row(top: int, row: int) -> float:
    """The height at which a bot's values are drawn."""
    return top + 8 + ROW * (row + 0.5)


def _value(picture: Svg, x: float, y: float, row: int, label: str) -> None:
    """A marker, of a shape of its own for each bot, and its value above."""
    if row == 0:
        picture.circle(x, y, 5.5, COLOURS[row])
    else:
        picture.rectangle(x - 5, y - 5, 10, 10, COLOURS[row])
    picture.text(x, y - 9, label, 12, "ink", "middle")
