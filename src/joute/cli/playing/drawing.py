"""Boards as lines in styles.

A board is the text of `render`, which every game has. A game with a line in PAINTERS is coloured
too, and shows marks: where the last action was, which are legal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from joute.core.interface import properties, render
from joute.games.love_letter.terminal.drawing import table
from joute.games.paradise.terminal import drawing as paradise
from joute.games.tron.terminal import floors
from joute.games.vampires.terminal import grid
from joute.i18n.lines import Line


class Marks(NamedTuple):
    """What is to be pointed out on a board."""

    last: dict[str, Any] | None = None  # what the viewer was told of the last action
    legal: tuple[int, ...] = ()
    signs: bool = False  # whether marks are characters, for who sees no colours
    names: tuple[str, ...] = ()  # of the seats
    over: bool = False  # whether the game is over: then nothing needs to be hidden


class Drawing(NamedTuple):
    """A board as `player` may see it, and a narrower one if the game has it."""

    wide: list[Line]
    narrow: list[Line]


Painter = Callable[[Any, Any, int, Marks], Drawing]


def draw(game: Any, state: Any, player: int, marks: Marks) -> Drawing:
    """The board as `player` may see it."""
    return PAINTERS.get(properties(game).name, _plain)(game, state, player, marks)


def sign(game: Any, player: int) -> str:
    """How the board of a game shows what is a player's."""
    name = properties(game).name
    return SIGNS[name][player] if name in SIGNS else str(player)


def _plain(game: Any, state: Any, player: int, marks: Marks) -> Drawing:
    return Drawing([[(line, "")] for line in render(game, state, player).splitlines()], [])


class _Canvas:
    """The characters of a text, each with a style."""

    def __init__(self, text: str) -> None:
        self.rows: list[Line] = [[(mark, "") for mark in line] for line in text.splitlines()]

    def mark(self, row: int, column: int) -> str:
        return self.rows[row][column][0]

    def put(self, row: int, column: int, mark: str, style: str = "") -> None:
        """Write a character, beyond the end of the row if need be."""
        line = self.rows[row]
        line += [(" ", "")] * (column + 1 - len(line))
        line[column] = (mark, style)


def _virus(game: Any, state: Any, player: int, marks: Marks) -> Drawing:
    """Two columns a cell: squares of the player's colour; the stones' count stands elsewhere."""
    canvas = _Canvas(render(game, state, player))
    canvas.rows.pop()
    size = game.size
    last = marks.last or {}
    changed = {(row, column) for row, column in last.get("turned", ())}
    for action in range(size * size):
        row, column = divmod(action, size)
        at = (1 + row, 4 + 2 * column)
        mark = canvas.mark(*at)
        newest = action == last.get("action") and last["player"] >= 0
        if mark == ".":
            legal = action in marks.legal
            canvas.put(*at, "+" if legal else ".", "legal" if legal else "dim")
            continue
        style = f"last{mark}" if newest else f"player{mark}"
        canvas.put(*at, mark, style + (" changed" if (row, column) in changed else ""))
        if not marks.signs:
            canvas.put(at[0], at[1] + 1, " ", style)
        elif newest:
            canvas.put(at[0], at[1] - 1, "(")
            canvas.put(at[0], at[1] + 1, ")")
    return Drawing(canvas.rows, [])


def _tron(game: Any, state: Any, player: int, marks: Marks) -> Drawing:
    wide, narrow = (floors(game, state, marks.legal, marks.signs, columns) for columns in (2, 1))
    return Drawing(wide, narrow)


def _love_letter(game: Any, state: Any, player: int, marks: Marks) -> Drawing:
    wide, narrow = (
        table(game, state, player, marks.names, marks.over, columns) for columns in (78, 44)
    )
    return Drawing(wide, narrow)


def _paradise(game: Any, state: Any, player: int, marks: Marks) -> Drawing:
    wide, narrow = (
        paradise.table(game, state, player, marks.names, marks.over, columns)
        for columns in (78, 44)
    )
    return Drawing(wide, narrow)


def _vampires(game: Any, state: Any, player: int, marks: Marks) -> Drawing:
    wide, narrow = (grid(game, state, marks.last, marks.signs, gap) for gap in (2, 1))
    return Drawing(wide, narrow)


PAINTERS: dict[str, Painter] = {
    "love-letter": _love_letter,
    "paradise": _paradise,
    "tron": _tron,
    "vampires": _vampires,
    "virus": _virus,
}
"""How the boards of a game are coloured, by the game's name."""

SEATED = frozenset(("love-letter", "paradise"))
"""The games whose boards say who sits where and how he stands, so that no list of seats does."""

SIGNS = {"tron": "12345678", "vampires": "VW"}
"""The players' signs on the board, where they are not 0, 1 ..."""
