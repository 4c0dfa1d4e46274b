"""The rules of a game as text: its sentences, and its drawings as the terminal draws them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from joute.cli.playing.drawing import Marks, terminal
from joute.core.card import Card
from joute.core.interface import properties
from joute.i18n.words import say
from joute.play.rulebook import Illustration, Items, drawn, rulebook
from joute.text import Line, plain

INDENT = "  "


def rules_lines(brought: Card, width: int) -> list[str]:
    """The rules of the game of a card in lines of `width` columns, in the language spoken now.

    A drawing that is wider stays so. Raises GameError for a drawing that cannot be made.
    """
    lines: list[str] = []
    for part in rulebook(brought).parts:
        if lines:
            lines.append("")
        if isinstance(part, Illustration):
            lines += [*picture(brought, part.name), "", *_wrapped(part.caption, width)]
        elif isinstance(part, Items):
            for item in part.words:
                lines += _wrapped([("- ", ""), *item], width, INDENT)
        else:
            lines += _wrapped(part.words, width)
    return lines


def _wrapped(line: Line, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(
        plain(line),
        width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def picture(brought: Card, name: str) -> Iterator[str]:
    """A drawing, indented; marks are characters, as there are no colours. Raises GameError."""
    shown = drawn(brought, name)
    game, step = shown.game, shown.step
    seat = shown.seat or 0
    told = step.open if shown.seat is None else step.told[seat]
    last = next((event for event in reversed(told) if "action" in event), None)
    names: Sequence[str] = say("rulebook.names").split()[: properties(game).players]
    marks = Marks(last, tuple(shown.choices), True, tuple(names))
    for line in terminal(game).draw(game, step.state, seat, marks).wide:
        yield f"{INDENT}{plain(line)}".rstrip()
