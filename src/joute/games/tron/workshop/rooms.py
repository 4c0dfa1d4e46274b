"""Rooms as text: the path of a lone bike drawn with lines; rooms side by side, live or once."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from joute.cli.output import behind, print_drawn
from joute.cli.playing.page import Palette
from joute.core.interface import play, start
from joute.games.tron.board import Place, entered
from joute.games.tron.text import chart_of, heads, picture, settings_of
from joute.games.tron.workshop.series import SoloGame
from joute.i18n.words import say
from joute.text import Line, harmless

LEFT, UP, RIGHT, DOWN = 1, 2, 4, 8  # arms of a cell, the sides on which the path leaves it
ARMS = (LEFT, UP, RIGHT, DOWN)
OPPOSITE = {LEFT: RIGHT, RIGHT: LEFT, UP: DOWN, DOWN: UP}
_LINES = {
    0: "•", LEFT: "╴", UP: "╵", RIGHT: "╶", DOWN: "╷",
    LEFT | RIGHT: "─", UP | DOWN: "│",
    RIGHT | DOWN: "┌", LEFT | DOWN: "┐", RIGHT | UP: "└", LEFT | UP: "┘",
}  # fmt: skip
WALL, FREE, HEAD, START = "#", "·", "@", "o"
FLOOR_GAP = 2  # columns between two floors

Marks = Mapping[Place, tuple[str, str]]
"""Highlighted cells: by place a character and a style."""


class Trace(NamedTuple):
    """A play of Tron alone, so far."""

    width: int
    height: int
    floors: list[list[str]]  # as in `observe`, at the start
    directions: tuple[int, ...]
    path: list[Place]  # where the bike was, the start first
    ends: list[Place]  # what each move entered: where it led, or the near end of a pair
    arms: dict[Place, int]  # of every cell that is taken
    stairs: set[Place]  # where the path changes floors

    @property
    def across(self) -> int:
        """Columns of all floors beside each other, in cells."""
        return self.width * len(self.floors)


def trace(game: Any, directions: Sequence[int]) -> Trace:
    """The path of these directions, each of them taken from a state in which it was free.

    A direction into a wall ends it.
    """
    settings = settings_of(game)
    chart, graph = chart_of(settings)
    state = start(game).tolist()
    path = [graph.places[heads(game, state)[0]]]
    found = Trace(
        chart.width, chart.height, picture(game, state), tuple(directions), path, [], {}, set()
    )
    found.arms[path[0]] = 0
    for direction in directions:
        here = path[-1]
        play(game, state, direction)
        there = graph.places[heads(game, state)[0]]
        if there == here:
            break
        path.append(there)
        end = entered(chart, settings.wrap, here, direction) or there
        found.ends.append(end)
        found.arms.setdefault(end, 0)
        found.arms.setdefault(there, 0)
        if direction < len(ARMS):
            found.arms[here] |= ARMS[direction]
            found.arms[end] |= OPPOSITE[ARMS[direction]]
        else:
            found.stairs.update((here, there))
    return found


def wide(room: Trace, marks: Marks | None = None) -> list[Line]:
    """Two columns a cell, so that the room looks as it is."""
    return _drawn(room, marks or {}, 2)


def narrow(room: Trace, marks: Marks | None = None) -> list[Line]:
    """A column a cell."""
    return _drawn(room, marks or {}, 1)


def columns(room: Trace, a_cell: int) -> int:
    """The width of a drawing."""
    return room.across * a_cell + FLOOR_GAP * (len(room.floors) - 1)


def _drawn(room: Trace, marks: Marks, a_cell: int) -> list[Line]:
    lines: list[Line] = []
    for top in range(room.height):
        line: Line = []
        for floor, rows in enumerate(room.floors):
            if floor:
                line.append((" " * FLOOR_GAP, ""))
            for x in range(room.width):
                place = (x, room.height - 1 - top, floor)
                text, style = _cell(room, place, rows[top][x], marks)
                line.append((_filled(room, place, text, a_cell), style))
        lines.append(line)
    return lines


def _cell(room: Trace, place: Place, sign: str, marks: Marks) -> tuple[str, str]:
    """The character and the style of a cell."""
    if place in marks:
        return marks[place]
    if sign == WALL:
        return WALL, "wall"
    if place not in room.arms:
        return (FREE, "dim") if sign in " 1" else (sign, "bold")
    if place == room.path[-1]:
        return HEAD, "player1"
    if place == room.path[0]:
        return START, "player0"
    if sign.isalpha() and (sign.isupper() or place in room.stairs):
        return sign, "player0"
    return _LINES.get(room.arms[place], "•"), "player0"


def _filled(room: Trace, place: Place, text: str, a_cell: int) -> str:
    """A character made as wide as a cell; lines go on to the right."""
    if a_cell == 1:
        return text
    if text == WALL:
        return text * a_cell
    goes_on = room.arms.get(place, 0) & RIGHT
    return text + ("─" if goes_on else " ")


def halves(room: Trace, depth: int) -> list[str]:
    """Two rows a line, in colours only: squares half as high as a character; `depth` colours."""
    lines = []
    for top in range(0, room.height, 2):
        cells = []
        for floor, rows in enumerate(room.floors):
            if floor:
                cells.append("\x1b[0m" + " " * FLOOR_GAP)
            for x in range(room.width):
                upper = _kind(room, (x, room.height - 1 - top, floor), rows[top][x])
                below = top + 1
                lower = (
                    _kind(room, (x, room.height - 1 - below, floor), rows[below][x])
                    if below < room.height
                    else "none"
                )
                cells.append(_half(upper, lower, depth))
        lines.append(_joined(cells) + "\x1b[0m")
    return lines


# Colours of 256, then of 16, as foreground; None is the terminal's own.
_KINDS: dict[str, tuple[int | None, int | None]] = {
    "wall": (240, 90), "free": (252, 37), "path": (25, 34), "head": (214, 33), "none": (None, None),
}  # fmt: skip


def _kind(room: Trace, place: Place, sign: str) -> str:
    if sign == WALL:
        return "wall"
    if place == room.path[-1]:
        return "head"
    return "path" if place in room.arms else "free"


def _half(upper: str, lower: str, depth: int) -> str:
    many = depth >= 256
    ink, ground = _KINDS[upper][not many], _KINDS[lower][not many]
    codes = [f"38;5;{ink}" if many else f"{ink}"]
    if ground is None:
        codes.append("49")
    else:
        codes.append(f"48;5;{ground}" if many else f"{ground + 10}")
    return f"\x1b[{';'.join(codes)}m▀"


def _joined(cells: list[str]) -> str:
    """Cells in a row; a code that was just given is not given again."""
    text = cells[0]
    for before, cell in pairwise(cells):
        code, mark, sign = cell.rpartition("m")
        text += sign if mark and before.startswith(code + mark) else cell
    return text


GAP = 2  # columns between two rooms
FRAME_SECONDS = 0.04  # a move of each game
FRAME_LINES = 3  # of a page, around the rooms
PLAIN_COLUMNS = 80  # where the output is no terminal
_HOME, _END_LINE, _END_SCREEN = "\x1b[H", "\x1b[K", "\x1b[J"


class Style(NamedTuple):
    """A way to draw rooms."""

    columns: int  # of a room
    lines: int  # of a room, its caption and the gap below
    draw: Callable[[Trace], list[str]]


def styles(sample: Trace, palette: Palette) -> list[Style]:
    """The ways to draw rooms of that size, from the largest to the smallest."""

    def painted(draw: Callable[[Trace], list[Line]]) -> Callable[[Trace], list[str]]:
        return lambda room: [palette.paint(line) for line in draw(room)]

    found = [
        Style(columns(sample, 2), sample.height + 2, painted(wide)),
        Style(columns(sample, 1), sample.height + 2, painted(narrow)),
    ]
    if palette.depth:
        depth = palette.depth
        smallest = -(-sample.height // 2) + 2
        found.append(Style(columns(sample, 1), smallest, lambda room: halves(room, depth)))
    return found


def across(style: Style, width: int) -> int:
    """The number of rooms that fit beside each other; one at least."""
    return max((width + GAP) // (style.columns + GAP), 1)


def chosen(ways: Sequence[Style], count: int, width: int, height: int) -> tuple[Style, int]:
    """The largest style in which all rooms fit, else the smallest; and how many do."""
    fits = 0
    for style in ways:
        fits = across(style, width) * max((height + 1) // style.lines, 1)
        if style.columns <= width and fits >= count:
            return style, count
    return ways[-1], min(fits, count)


def gallery(rooms: Sequence[list[str]], captions: Sequence[str], style: Style, width: int) -> str:
    """Drawn rooms in rows of as many as the width allows, a caption under each."""
    row = across(style, width)
    blocks = []
    for first in range(0, len(rooms), row):
        beside = list(zip(*rooms[first : first + row], strict=True))
        under = [
            caption[: style.columns].ljust(style.columns)
            for caption in captions[first : first + row]
        ]
        lines = [(" " * GAP).join(parts).rstrip() for parts in [*beside, under]]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def caption(number: int, course: SoloGame) -> str:
    """The line under a room."""
    moves = say("tron.moves", number=number, moves=len(course.directions))
    if course.played is None:
        return moves
    return say("tron.ended", number=number, moves=course.played.moves)


def print_gallery(game: Any, shown: Sequence[SoloGame], first: int, palette: Palette) -> None:
    """Prints games as they stand."""
    traces = [trace(game, course.directions) for course in shown]
    ways = styles(traces[0], palette)
    if sys.stdout.isatty():
        size = shutil.get_terminal_size()
        width = size.columns
        style, _ = chosen(ways, len(shown), width, size.lines - FRAME_LINES)
    else:
        width = PLAIN_COLUMNS
        style = next((way for way in ways if across(way, width) >= min(len(shown), 2)), ways[-1])
    captions = [caption(first + place, course) for place, course in enumerate(shown)]
    print_drawn(gallery([style.draw(each) for each in traces], captions, style, width))


class RoomScreen:
    """The games on the terminal, drawn anew after every round of moves."""

    def __init__(
        self,
        game: Any,
        title: str,
        palette: Palette,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._game = game
        self._title = harmless(title, "")
        self._palette = palette
        self._clock = clock
        self._sleep = sleep
        self._next = clock()

    def page(self, shown: Sequence[SoloGame], first: int, width: int, height: int) -> str:
        """The games in at most that many columns and lines."""
        traces = [trace(self._game, course.directions) for course in shown]
        style, fitting = chosen(
            styles(traces[0], self._palette), len(shown), width, height - FRAME_LINES
        )
        captions = [caption(first + place, course) for place, course in enumerate(shown)]
        if style.columns > width:
            body = say("tron.narrow", columns=style.columns)
        else:
            drawn = [style.draw(each) for each in traces[:fitting]]
            body = gallery(drawn, captions[:fitting], style, width)
        foot = say("tron.leave")
        if fitting < len(shown):
            foot = say("tron.hidden", count=len(shown) - fitting) + " " + foot
        lines = [self._title[:width], "", *body.split("\n")][: height - 1]
        return "\n".join([*lines, foot[:width]])

    def show(self, shown: Sequence[SoloGame], first: int) -> None:
        """Draws the games, no sooner than it is time for the next frame."""
        left = self._next - self._clock()
        if left > 0:
            self._sleep(left)
        self._next = max(self._next, self._clock() - FRAME_SECONDS) + FRAME_SECONDS
        size = shutil.get_terminal_size()
        text = self.page(shown, first, size.columns, size.lines)
        out = behind(sys.stdout)
        out.write(_HOME + text.replace("\n", _END_LINE + "\n") + _END_LINE + _END_SCREEN)
        out.flush()
