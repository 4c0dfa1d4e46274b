"""Virus as it is shown: at the terminal squares of the players' colours, two columns a cell."""

from __future__ import annotations

from typing import Any

from joute.cli.playing.drawing import Drawing, Marks, Terminal
from joute.core.interface import render
from joute.text import Line
from joute.web.games import Web


def _draw(game: Any, state: Any, player: int, marks: Marks) -> Drawing:
    """The grid; the stones' count, its last line, stands elsewhere."""
    rows = [[(mark, "") for mark in line] for line in render(game, state, player).splitlines()[:-1]]
    size = game.size
    last = marks.last or {}
    changed = {(row, column) for row, column in last.get("turned", ())}
    for action in range(size * size):
        row, column = divmod(action, size)
        line, at = rows[1 + row], 4 + 2 * column
        mark = line[at][0]
        newest = action == last.get("action") and last["player"] >= 0
        if mark == ".":
            legal = action in marks.legal
            _put(line, at, "+" if legal else ".", "legal" if legal else "dim")
            continue
        style = f"last{mark}" if newest else f"player{mark}"
        _put(line, at, mark, style + (" changed" if (row, column) in changed else ""))
        if not marks.signs:
            _put(line, at + 1, " ", style)
        elif newest:
            _put(line, at - 1, "(")
            _put(line, at + 1, ")")
    return Drawing(rows, [])


def _put(line: Line, column: int, mark: str, style: str = "") -> None:
    """Writes a character, beyond the end of the line if need be."""
    line += [(" ", "")] * (column + 1 - len(line))
    line[column] = (mark, style)


TERMINAL = Terminal(_draw)
WEB = Web(order=1)
