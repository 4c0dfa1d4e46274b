"""Text in styles, and the codes that a terminal shows them with: 256 colours, 16, or none.

A line is a list of (text, style); a style is names of `_CODES` with blanks between, "" for none.
The players' colours are those of Okabe and Ito, which colour-blind people tell apart; the digit of
the player is always written too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import TextIO

Line = list[tuple[str, str]]

# Of each player: background and text of 256 colours, then of 16.
_PLAYERS = (
    ("48;5;25;38;5;231", "44;97"),  # blue
    ("48;5;214;38;5;16", "43;30"),  # orange
    ("48;5;36;38;5;16", "42;30"),  # green
    ("48;5;175;38;5;16", "45;97"),  # purple
    ("48;5;227;38;5;16", "103;30"),  # yellow
    ("48;5;117;38;5;16", "46;30"),  # light blue
    ("48;5;166;38;5;231", "41;97"),  # red
    ("48;5;250;38;5;16", "47;30"),  # grey
)
_CODES = {
    "bold": ("1", "1"),
    "dim": ("38;5;245", "90"),
    "legal": ("1;38;5;36", "1;32"),
    "changed": ("1;4", "1;4"),
    "last": ("1;7", "1;7"),
    "title": ("1", "1"),
    "wall": ("48;5;240;38;5;250", "100;37"),
    "crash": ("48;5;231;38;5;160;1", "107;31;1"),
    **{f"player{player}": codes for player, codes in enumerate(_PLAYERS)},
}


class Palette:
    """Shows styles with `depth` colours: 256, 16 or 0 for none."""

    def __init__(self, depth: int) -> None:
        self.depth = depth

    def paint(self, line: Line) -> str:
        """The line with its codes; it ends in no style."""
        if self.depth == 0:
            return plain(line)
        parts = []
        for style, run in groupby(line, key=lambda part: part[1]):
            text = "".join(text for text, _ in run)
            codes = [_CODES[name][self.depth < 256] for name in style.split()]
            parts.append(f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if codes else text)
        return "".join(parts)

    def lines(self, lines: Iterable[Line]) -> str:
        """Lines under each other."""
        return "\n".join(self.paint(line) for line in lines)


def palette(stream: TextIO, environ: Mapping[str, str], plain_wanted: bool = False) -> Palette:
    """What a stream can show: nothing but text where it is no terminal or NO_COLOR is set."""
    term = environ.get("TERM", "")
    if plain_wanted or environ.get("NO_COLOR") or term == "dumb" or not stream.isatty():
        return Palette(0)
    many = "256" in term or environ.get("COLORTERM") in {"truecolor", "24bit"}
    return Palette(256 if many else 16)


def plain(line: Line) -> str:
    """The text of a line."""
    return "".join(text for text, _ in line)


def length(line: Line) -> int:
    """How many columns a line takes."""
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


def shown(text: str) -> str:
    """A text from outside, like a file's name, so that it cannot steer the terminal."""
    return "".join(mark if mark.isprintable() else "\N{REPLACEMENT CHARACTER}" for mark in text)
