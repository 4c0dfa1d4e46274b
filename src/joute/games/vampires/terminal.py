"""The grid of Vampires vs Werewolves, with the numbers of its columns and rows."""

from __future__ import annotations

from typing import Any

from joute.games.vampires.state import HUMANS, VAMPIRES, content
from joute.games.vampires.text import LETTERS
from joute.i18n.lines import Line

STYLES = {HUMANS: "bold", VAMPIRES: "player0", VAMPIRES + 1: "player1"}
NEWEST = {HUMANS: "bold", VAMPIRES: "last0", VAMPIRES + 1: "last1"}


def grid(game: Any, state: Any, last: dict[str, Any] | None, signs: bool, gap: int) -> list[Line]:
    """The board, with `gap` (1 or 2) columns around what cells hold, and the last cells marked.

    Without colours (`signs`) and with a gap of 2, these stand in brackets.
    """
    held = [[content(game, state, x, y) for x in range(game.columns)] for y in range(game.rows)]
    texts = [[f"{count}{LETTERS[kind]}" if count else "." for kind, count in row] for row in held]
    newest = _cells(last or {})
    width = max(2, len(str(game.columns - 1)), *(len(text) for row in texts for text in row))
    margin = len(str(game.rows - 1))
    after = " " * (gap - 1)
    header = "".join(f" {x:>{width}}{after}" for x in range(game.columns))
    lines: list[Line] = [[(" " * margin + header, "dim")]]
    for y, row in enumerate(texts):
        line: Line = [(f"{y:>{margin}}", "dim")]
        for x, text in enumerate(row):
            kind, new = held[y][x][0], (x, y) in newest
            before, behind = ("(", ")") if new and signs and gap == 2 else (" ", after)
            blank = " " * (width - len(text))
            style = (NEWEST if new else STYLES).get(kind, "changed" if new else "dim")
            line += [(blank + before, ""), (text, style), (behind, "")]
        lines.append(line)
    return lines


def _cells(last: dict[str, Any]) -> set[tuple[int, int]]:
    """The cells of the last order, or of the last battle."""
    found: set[tuple[int, int]] = set()
    for part in last.get("parts", [last]):
        if "cell" in part:
            found.add((part["cell"][0], part["cell"][1]))
        if "move" in part:
            x, y, _, x2, y2 = part["move"]
            found |= {(x, y), (x2, y2)}
    return found
