"""The page that a person sees at a turn: a board, and seats and log beside it if there is room."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import NamedTuple, TextIO

from joute.i18n.words import say
from joute.text import Line, harmless, plain

GAP = 4  # columns between the board and what stands beside it
MARGIN = 2  # columns before the board of a page
BESIDE = 24  # columns that the panel needs at least
LOG_LINES = 6  # of the log beside a low board, or below one if nothing more is new


class PageContent(NamedTuple):
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


def page(view: PageContent, width: int, height: int) -> list[Line]:
    """The view in at most `height` lines of `width` columns.

    A board that is wider is cut, and a line says how wide it is. The title gives way first. Where
    board and message have no room together, a message of more than half the lines, such as the
    help, stands in the place of the board for once; beside a shorter one as much of the board is
    shown as there is room for, and a line says that there is more.
    """
    top: list[Line] = [[(f" {view.title}", "title")], []]
    message: list[Line] = [[(f" {line}", "")] for line in wrapped_texts(view.message, width)]
    message += [[(" ", ""), *line] for line in view.offers]
    wide = max((length(line) + MARGIN for line in view.narrow or view.board), default=0)
    if wide > width:
        message.insert(0, [(f" {say('play.wide', columns=wide)}", "dim")])
    room = height - len(message)
    apart: list[Line] = [[]] if message else []
    body = _body(view, width, room - len(top) - len(apart))
    if len(top) + len(body) + len(apart) > room:
        if len(body) > room and len(message) > height // 2:
            return _cut([*top, *message], width, height)
        if len(body) > room and message:
            body = [*body[: room - 1], [(f" {say('play.cut')}", "dim")]]
        top, apart = [], []  # the board goes first
    return _cut([*top, *body, *apart, *message], width, height)


def _body(view: PageContent, width: int, room: int) -> list[Line]:
    """The board with seats and log: as large as there is room for."""
    views = [view, view._replace(board=list(view.narrow))] if view.narrow else [view]
    for each in views:
        if beside := _beside(each, width, room):
            return beside
        below = _below(each, width, room)
        if len(below) <= room and max(length(line) for line in below) <= width:
            return below
    return below


def _beside(view: PageContent, width: int, room: int) -> list[Line]:
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


def _below(view: PageContent, width: int, room: int) -> list[Line]:
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


def wrapped_texts(texts: Iterable[str], width: int) -> list[str]:
    """Texts in lines of a page that is so wide, all but the first of each indented."""
    columns = max(width - 2, 20)
    return [
        line
        for text in texts
        for line in textwrap.wrap(text, columns, subsequent_indent="  ") or [""]
    ]


def _cut(lines: list[Line], width: int, height: int) -> list[Line]:
    return [cut(line, width) for line in lines[:height]]


# Of each player: 256 colours (background, text, darker text for the newest), then the same of 16.
_PLAYERS = (
    (25, 231, 25, 44, 97, 34),  # blue
    (214, 16, 130, 43, 30, 33),  # orange
    (36, 16, 23, 42, 30, 32),  # green
    (175, 16, 90, 45, 97, 35),  # purple
    (227, 16, 58, 103, 30, 90),  # yellow
    (117, 16, 24, 46, 30, 36),  # light blue
    (166, 231, 124, 41, 97, 31),  # red
    (250, 16, 240, 47, 30, 90),  # grey
)
_CODES = {
    "bold": ("1", "1"),
    "dim": ("38;5;245", "90"),
    "legal": ("1;38;5;36", "1;32"),
    "changed": ("1;4", "1;4"),
    "title": ("1", "1"),
    "wall": ("48;5;240;38;5;250", "100;37"),
    "crash": ("48;5;231;38;5;160;1", "107;31;1"),
}
for _player, (_back, _text, _dark, *_few) in enumerate(_PLAYERS):
    _CODES[f"player{_player}"] = (f"48;5;{_back};38;5;{_text}", f"{_few[0]};{_few[1]}")
    # The newest cells stand out by their white ground, not by their colour alone.
    _CODES[f"last{_player}"] = (f"48;5;231;38;5;{_dark};1", f"107;{_few[2]};1")


class Palette:
    """Shows styles with `depth` colours: 256, 16 or 0 for none."""

    def __init__(self, depth: int) -> None:
        self.depth = depth

    def paint(self, line: Line) -> str:
        """The line with its codes; it ends in no style."""
        if self.depth == 0:
            return harmless(plain(line))
        parts = []
        for style, run in groupby(line, key=lambda part: part[1]):
            text = harmless("".join(text for text, _ in run))
            codes = [_CODES[name][self.depth < 256] for name in style.split()]
            parts.append(f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if codes else text)
        return "".join(parts)

    def lines(self, lines: Iterable[Line]) -> str:
        """Lines under each other."""
        return "\n".join(self.paint(line) for line in lines)


def palette(stream: TextIO, environ: Mapping[str, str], plain_wanted: bool = False) -> Palette:
    """The styles that a stream can show: none without a terminal, or where NO_COLOR is set."""
    term = environ.get("TERM", "")
    if plain_wanted or environ.get("NO_COLOR") or term == "dumb" or not stream.isatty():
        return Palette(0)
    many = "256" in term or environ.get("COLORTERM") in {"truecolor", "24bit"}
    return Palette(256 if many else 16)


def length(line: Line) -> int:
    """The number of columns of a line."""
    return sum(len(text) for text, _ in line)


def cut(line: Line, width: int) -> Line:
    """As much of a line as fits."""
    kept: Line = []
    for text, style in line:
        if width <= 0:
            break
        kept.append((text[:width], style))
        width -= len(text)
    return kept


def wrapped(line: Line, width: int, indent: int = 4) -> list[Line]:
    """The line on as many lines as it needs, all but the first indented."""
    lines: list[Line] = [[]]
    for text, style in line:
        for word in re.findall(r"\s+|\S+", text):
            kept = word
            if length(lines[-1]) + len(word) > width and length(lines[-1]) > indent:
                if lines[-1][-1][0].isspace():
                    lines[-1].pop()
                lines.append([(" " * indent, "")])
                kept = word.lstrip()
            lines[-1].append((kept, style))
    return lines
