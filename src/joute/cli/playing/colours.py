"""The codes that a terminal shows lines of text in styles with: 256 colours, 16, or none.

A style is names of `_CODES` with blanks between, "" for none.
The players' colours are those of Okabe and Ito, which colour-blind people tell apart; the digit of
the player is always written too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import TextIO

from joute.text import Line, harmless, plain

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
    # What is newest stands out by its white ground, not by its colour alone.
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
    """What a stream can show: nothing but text where it is no terminal or NO_COLOR is set."""
    term = environ.get("TERM", "")
    if plain_wanted or environ.get("NO_COLOR") or term == "dumb" or not stream.isatty():
        return Palette(0)
    many = "256" in term or environ.get("COLORTERM") in {"truecolor", "24bit"}
    return Palette(256 if many else 16)


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
