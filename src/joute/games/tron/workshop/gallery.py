"""Several rooms side by side, the moves under each: live on a terminal, or once as text."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from joute.cli.output import behind, print_drawn
from joute.cli.playing.colours import Palette
from joute.games.tron.workshop.rooms import Trace, columns, halves, narrow, trace, wide
from joute.games.tron.workshop.series import Course
from joute.i18n.words import say
from joute.text import Line, harmless

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
    """How many rooms fit beside each other; one at least."""
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


def caption(number: int, course: Course) -> str:
    """What stands under a room."""
    moves = say("tron.moves", number=number, moves=len(course.directions))
    if course.played is None:
        return moves
    return say("tron.ended", number=number, moves=course.played.moves)


def print_gallery(game: Any, shown: Sequence[Course], first: int, palette: Palette) -> None:
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


class Screen:
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

    def page(self, shown: Sequence[Course], first: int, width: int, height: int) -> str:
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

    def show(self, shown: Sequence[Course], first: int) -> None:
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
