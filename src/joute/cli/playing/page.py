"""The page that a person sees at a turn: a board, and seats and log beside it if there is room."""

from __future__ import annotations

import textwrap
from typing import NamedTuple

from joute.cli.playing.colours import cut, length, wrapped
from joute.text import Line

GAP = 4  # columns between the board and what stands beside it
MARGIN = 2  # columns before the board of a page
BESIDE = 24  # columns that the panel needs at least
LOG_LINES = 6  # of the log beside a low board, or below one if nothing more is new


class View(NamedTuple):
    """The parts of a page."""

    title: str
    board: list[Line]
    seats: list[Line]  # a line for each seat: whose turn, name, points
    log: list[Line]  # what happened, the latest last
    fresh: int = 0  # how many of the log came since the person's last decision
    message: tuple[str, ...] = ()  # what answers the last thing typed
    offers: tuple[Line, ...] = ()  # what may be typed next
    said: str = ""  # who is thinking
    narrow: tuple[Line, ...] = ()  # the board in fewer columns, if the game has such a drawing


def page(view: View, width: int, height: int) -> list[Line]:
    """The view in at most `height` lines of `width` columns.

    The title gives way first; where board and message have no room together, the message stands
    in the place of the board for once.
    """
    top: list[Line] = [[(f" {view.title}", "title")], []]
    message = [line for text in view.message for line in _wrapped(text, width)]
    message += [[(" ", ""), *line] for line in view.offers]
    room = height - len(message)
    apart: list[Line] = [[]] if message else []
    body = _body(view, width, room - len(top) - len(apart))
    if len(top) + len(body) + len(apart) > room:
        if len(body) > room and message:
            return _cut([*top, *message], width, height)
        top, apart = [], []  # the board goes first
    return _cut([*top, *body, *apart, *message], width, height)


def _body(view: View, width: int, room: int) -> list[Line]:
    """The board with seats and log: as large as there is room for."""
    views = [view, view._replace(board=list(view.narrow))] if view.narrow else [view]
    for each in views:
        if beside := _beside(each, width, room):
            return beside
        below = _below(each, width, room)
        if len(below) <= room and max(length(line) for line in below) <= width:
            return below
    return below


def _beside(view: View, width: int, room: int) -> list[Line]:
    """Seats and log to the right of the board; nothing if the terminal is too narrow."""
    columns = max((length(line) for line in view.board), default=0) + MARGIN + GAP
    if columns + max([BESIDE, *(length(line) for line in view.seats)]) > width:
        return []
    rows = max(len(view.board), min(len(view.seats) + 2 + LOG_LINES, room), len(view.seats) + 1)
    panel = [[], *view.seats, []][: rows - 1]
    left = rows - len(panel)
    panel += _newest(view.log, width - columns, left)
    lines: list[Line] = []
    for row in range(rows):
        board = view.board[row] if row < len(view.board) else []
        line: Line = [(" " * MARGIN, ""), *board]
        if row < len(panel):
            line += [(" " * (columns - length(line)), ""), *panel[row]]
        if row < len(view.board) or row < len(panel):
            lines.append(line)
    return lines


def _below(view: View, width: int, room: int) -> list[Line]:
    """Seats and log under the board, as much of the log as there is room for."""
    board: list[Line] = [[(" " * MARGIN, ""), *line] for line in view.board]
    wanted = max(LOG_LINES, view.fresh)
    left = max(min(room - len(board) - 1 - len(view.seats), wanted), 0)
    panel = [*view.seats, *_newest(view.log, width - 1, left)]
    return [*board, [], *([(" ", ""), *line] for line in panel)]


def _newest(log: list[Line], width: int, most: int) -> list[Line]:
    """The last lines of a log, long ones on several."""
    lines = [part for line in log[-most:] for part in wrapped(line, width)]
    return lines[-most:] if most else []


def _wrapped(text: str, width: int) -> list[Line]:
    texts = textwrap.wrap(text, max(width - 2, 20), subsequent_indent="  ") or [""]
    return [[(f" {line}", "")] for line in texts]


def _cut(lines: list[Line], width: int, height: int) -> list[Line]:
    return [cut(line, width) for line in lines[:height]]
