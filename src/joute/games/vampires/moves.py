"""A move of Vampires vs Werewolves: as a list, as a small choice, as text."""

import re
from typing import Any

from joute.core.errors import ActionError
from joute.games.vampires.state import KIND, Vampires, cell_at, content, place_of, step
from joute.i18n.words import Sentence
from joute.text import cut

MOVE = re.compile(
    r"\(? ?(\d{1,9}) ?, ?(\d{1,9}) ?\)? ?(?:[x*:] ?(\d{1,9}))? ?(?:->|=>|>|→|to)"
    r" ?\(? ?(\d{1,9}) ?, ?(\d{1,9}) ?\)?"
)
"""A move as people write it, blanks taken together; without a count, all of the group."""


def move_of(game: Vampires, action: int) -> list[int]:
    """The move [x, y, count, x2, y2] of a small choice other than DONE."""
    cell, direction = action // KIND // 8, action // KIND % 8
    target = place_of(game, cell + step(game, direction))
    return [*place_of(game, cell), action % KIND, *target]


def action_of(game: Vampires, move: list[int]) -> int:
    """The small choice of a move between neighbours on the grid, of 1 to MOST units."""
    x, y, count, x2, y2 = move
    around = (y2 - y + 1) * 3 + x2 - x + 1
    return (cell_at(game, x, y) * 8 + around - (around > 4)) * KIND + count


def write_move(move: list[int]) -> str:
    """A move as text: `3,4 x5 -> 4,4`."""
    x, y, count, x2, y2 = move
    return f"{x},{y} x{count} -> {x2},{y2}"


def read_move(game: Vampires, state: Any, text: str) -> list[int]:
    """The move of a text; without a count it is all that the cell holds. Raises ActionError."""
    found = MOVE.fullmatch(" ".join(text.split()))
    if not found:
        raise ActionError(quoted(text), Sentence("error.vampires.move"))
    x, y, x2, y2 = (int(found[group]) for group in (1, 2, 4, 5))
    if found[3]:
        return [x, y, int(found[3]), x2, y2]
    on_grid = x < game.columns and y < game.rows
    return [x, y, content(game, state, x, y)[1] if on_grid else 0, x2, y2]


def quoted(answer: Any) -> str:
    """An answer as an error shows it: not all of it if it is long."""
    try:
        text = answer if isinstance(answer, str) else repr(answer)
    except ValueError:  # Python writes no number of thousands of digits
        text = "a number too long to be written"
    return cut(text, 60)
