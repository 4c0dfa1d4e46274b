"""Rooms as SVG: the path of a game, its worst move, and what that move lost."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import NamedTuple

from joute.games.tron.board import Place
from joute.games.tron.workshop.rooms import WALL, Trace
from joute.i18n.words import say
from joute.svg import Svg

CELL = 18  # pixels
MARGIN = 24
FLOOR_GAP = 18  # pixels between floors
TITLE, LINE, LEGEND = 30, 19, 30  # heights
LEAST_WIDTH = 600
LETTER = 6.9  # pixels of an average letter of the text


class Panel(NamedTuple):
    """A game in a room, and what is to be said about it."""

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
