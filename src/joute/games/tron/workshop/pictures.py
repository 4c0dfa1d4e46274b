"""The pictures of `joute tron` as SVG: measurements as a line chart, rooms with a path in them."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from math import ceil, log10
from typing import NamedTuple

from joute.games.tron.board import Place
from joute.games.tron.workshop.rooms import WALL, Trace
from joute.games.tron.workshop.series import Figure
from joute.i18n.words import say
from joute.svg import Svg

CELL = 18  # pixels
MARGIN = 24
FLOOR_GAP = 18  # pixels between floors
TITLE, LINE, LEGEND = 30, 19, 30  # heights
LEAST_WIDTH = 600
LETTER = 6.9  # pixels of an average letter of the text


class Panel(NamedTuple):
    """A game in a room, with its title and its text."""

    title: str
    text: str
    trace: Trace  # of the whole game
    wrong: int | None  # the ply of the worst move, from 0
    lost: frozenset[Place]


def picture(panels: Sequence[Panel], title: str) -> str:
    """An SVG of rooms under each other."""
    width = max([LEAST_WIDTH, *(_width(panel.trace) + 2 * MARGIN for panel in panels)])
    letters = int((width - 2 * MARGIN) / LETTER)
    texts = [textwrap.wrap(panel.text, letters) for panel in panels]
    heights = [
        TITLE + LINE * len(lines) + CELL * panel.trace.height + LEGEND + MARGIN
        for panel, lines in zip(panels, texts, strict=True)
    ]
    drawing = Svg(width, MARGIN + sum(heights), title)
    top = float(MARGIN)
    for panel, lines, height in zip(panels, texts, heights, strict=True):
        drawing.text(MARGIN, top + 16, panel.title, 16, bold=True)
        for number, line in enumerate(lines):
            drawing.text(MARGIN, top + TITLE + 10 + LINE * number, line, 13, "dim")
        room_top = top + TITLE + LINE * len(lines)
        _room(drawing, panel, room_top)
        _legend(drawing, panel, room_top + CELL * panel.trace.height + 20)
        top += height
    return drawing.written()


def _width(room: Trace) -> float:
    return CELL * room.across + FLOOR_GAP * (len(room.floors) - 1)


def _at(room: Trace, place: Place, top: float) -> tuple[float, float]:
    """The upper left corner of a cell."""
    x, y, floor = place
    left = MARGIN + floor * (CELL * room.width + FLOOR_GAP) + CELL * x
    return left, top + CELL * (room.height - 1 - y)


def _room(drawing: Svg, panel: Panel, top: float) -> None:
    room = panel.trace
    for floor, rows in enumerate(room.floors):
        corner = _at(room, (0, room.height - 1, floor), top)
        drawing.rectangle(*corner, CELL * room.width, CELL * room.height, "free")
        for down, row in enumerate(rows):
            _walls(drawing, row, corner[0], top + CELL * down)
    for place in sorted(panel.lost):
        drawing.rectangle(*_at(room, place, top), CELL, CELL, "lost")
    _path(drawing, panel, top)
    for floor, rows in enumerate(room.floors):
        for down, row in enumerate(rows):
            for x, sign in enumerate(row):
                if sign.isalpha():
                    left, up = _at(room, (x, room.height - 1 - down, floor), top)
                    drawing.text(left + CELL / 2, up + CELL - 4, sign, 13, "ink", "middle")


def _walls(drawing: Svg, row: str, left: float, top: float) -> None:
    """A row's walls, each run of them in one piece."""
    first = 0
    while first < len(row):
        last = first
        while last < len(row) and row[last] == WALL:
            last += 1
        if last > first:
            drawing.rectangle(left + CELL * first, top, CELL * (last - first), CELL, "wall")
        first = max(last, first + 1)


def _path(drawing: Svg, panel: Panel, top: float) -> None:
    """The path: thick up to the worst move, thin after it."""
    room = panel.trace

    def middle(place: Place) -> tuple[float, float]:
        left, up = _at(room, place, top)
        return left + CELL / 2, up + CELL / 2

    wrong = len(room.path) - 1 if panel.wrong is None else panel.wrong
    for first, last, thick in ((0, wrong, 5.0), (wrong + 1, len(room.path) - 1, 1.5)):
        for run in _runs(room, first, last):
            if len(run) > 1:
                drawing.line([middle(place) for place in run], "blue", thick)
            else:
                drawing.circle(*middle(run[0]), thick / 2, "blue")
    drawing.circle(*middle(room.path[0]), 5, "ink")
    if panel.wrong is not None:
        step = _runs(room, wrong, wrong + 1)
        if len(step[0]) > 1:
            drawing.line([middle(place) for place in step[0]], "red", 6)
        drawing.circle(*middle(step[-1][-1]), 6, "red")
    drawing.ring(*middle(room.path[-1]), 5, "ink")


def _runs(room: Trace, first: int, last: int) -> list[list[Place]]:
    """A part of the path in pieces: broken where it goes through a pair, an edge or on stairs."""
    if first > last:
        return []
    runs = [[room.path[first]]]
    for before, end, place in zip(
        room.path[first:last], room.ends[first:last], room.path[first + 1 : last + 1], strict=True
    ):
        near = abs(before[0] - end[0]) + abs(before[1] - end[1]) == 1 and before[2] == end[2]
        if near:
            runs[-1].append(end)
        if not near or end != place:
            runs.append([place])
    return runs


def _legend(drawing: Svg, panel: Panel, y: float) -> None:
    entries = [("ink", "start"), ("blue", "path")]
    if panel.wrong is not None:
        entries += [("red", "wrong")]
    if panel.lost:
        entries += [("lost", "lost")]
    x = float(MARGIN)
    for colour, key in entries:
        drawing.rectangle(x, y - 10, 11, 11, colour)
        text = say(f"tron.picture.{key}")
        drawing.text(x + 16, y, text, 12, "dim")
        x += 34 + LETTER * len(text)


WIDTH, HEIGHT = 720, 440
LEFT, RIGHT, TOP, BOTTOM = 64, 24, 84, 56  # margins
INSIDE = 24  # columns between the frame and the first and the last number of simulations
SHIFT = 5  # columns between the markers of two forms
COLOURS = ("blue", "orange", "green")
Z95 = 1.96
STEP = 20  # moves between two lines of the grid


class Axes:
    """The scales of the chart: of simulations (logarithmic) and of moves."""

    def __init__(self, simulations: Sequence[int], most: float) -> None:
        self.decades = range(int(log10(min(simulations))), ceil(log10(max(simulations))) + 1)
        if len(self.decades) == 1:
            self.decades = range(self.decades[0], self.decades[0] + 2)
        self.top = STEP * (int(most) // STEP + 1)

    def x(self, simulations: float) -> float:
        """The column of a number of simulations."""
        first, last = self.decades[0], self.decades[-1]
        width = WIDTH - LEFT - RIGHT - 2 * INSIDE
        return LEFT + INSIDE + width * (log10(simulations) - first) / (last - first)

    def y(self, moves: float) -> float:
        """The row of a number of moves."""
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * moves / self.top


def chart(figures: Sequence[Figure], reference: dict[int, int], bound: int, name: str) -> str:
    """An SVG of mean moves by simulations, a line for each form; `reference` by simulations."""
    picture = Svg(WIDTH, HEIGHT, say("tron.chart.title", map=name))
    picture.text(LEFT, 26, say("tron.chart.title", map=name), 17, bold=True)
    forms = list(dict.fromkeys(figure.form for figure in figures))
    axes = Axes([figure.simulations for figure in figures], bound)
    _grid(picture, axes)
    picture.line([(LEFT, axes.y(bound)), (WIDTH - RIGHT, axes.y(bound))], "ink", 1.5, "2 4")
    picture.text(LEFT + 6, axes.y(bound) - 5, say("tron.chart.bound", bound=bound), 12, "dim")
    shown = {count: mean for count, mean in reference.items() if axes.x(count) <= WIDTH - RIGHT}
    if shown:
        points = [(axes.x(count), axes.y(mean)) for count, mean in shown.items()]
        picture.line(points, "dim", 1.5, "6 4")
        for x, y in points:
            picture.ring(x, y, 4.5, "dim")
    for place, form in enumerate(forms):
        shift = SHIFT * (place - (len(forms) - 1) / 2)
        _series(picture, axes, [each for each in figures if each.form == form], place, shift)
    _chart_legend(picture, forms, bool(shown))
    return picture.written()


def _grid(picture: Svg, axes: Axes) -> None:
    for moves in range(0, axes.top + 1, STEP):
        y = axes.y(moves)
        picture.line([(LEFT, y), (WIDTH - RIGHT, y)], "grid", 1)
        picture.text(LEFT - 8, y + 4, str(moves), 12, "dim", "end")
    for decade in axes.decades:
        x = axes.x(10**decade)
        picture.line([(x, TOP), (x, HEIGHT - BOTTOM)], "grid", 1)
        label = f"{10**decade:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")
        picture.text(x, HEIGHT - BOTTOM + 18, label, 12, "dim", "middle")
    picture.text(LEFT - 8, TOP - 12, say("tron.chart.y"), 12, "dim", "end")
    middle = (LEFT + WIDTH - RIGHT) / 2
    picture.text(middle, HEIGHT - 12, say("tron.chart.x"), 13, "ink", "middle")


def _series(picture: Svg, axes: Axes, figures: Sequence[Figure], place: int, shift: float) -> None:
    """The line of a form, with the 95 % interval of each mean.

    It is shifted to the side, because forms with equal means would hide each other.
    """
    colour = COLOURS[place % len(COLOURS)]
    points = [(axes.x(each.simulations) + shift, axes.y(each.mean)) for each in figures]
    if len(points) > 1:
        picture.line(points, colour)
    for (x, y), each in zip(points, figures, strict=True):
        if each.error is not None:
            low, high = (axes.y(each.mean + side * Z95 * each.error) for side in (-1, 1))
            picture.line([(x, low), (x, high)], colour, 1.5)
            for end in (low, high):
                picture.line([(x - 4, end), (x + 4, end)], colour, 1.5)
        _marker(picture, x, y, place, colour)


def _marker(picture: Svg, x: float, y: float, place: int, colour: str) -> None:
    """A shape of its own for each form, for readers who see no colours."""
    if place % len(COLOURS) == 0:
        picture.circle(x, y, 4.5, colour)
    elif place % len(COLOURS) == 1:
        picture.rectangle(x - 4, y - 4, 8, 8, colour)
    else:
        picture.line([(x - 4, y - 4), (x + 4, y + 4)], colour, 2.5)
        picture.line([(x - 4, y + 4), (x + 4, y - 4)], colour, 2.5)


def _chart_legend(picture: Svg, forms: Sequence[str], reference: bool) -> None:
    x = float(LEFT)
    for place, form in enumerate(forms):
        _marker(picture, x + 5, 46, place, COLOURS[place % len(COLOURS)])
        text = say(f"tron.form.{form}")
        picture.text(x + 16, 50, text, 13)
        x += 34 + 7.4 * len(text)
    if reference:
        picture.ring(x + 5, 46, 4.5, "dim")
        picture.text(x + 16, 50, say("tron.form.workshop"), 13)
