"""Text in styles: a line is a list of (text, style); whoever shows it knows the styles."""

from __future__ import annotations

from joute.printable import harmless

Line = list[tuple[str, str]]


def plain(line: Line) -> str:
    """The text of a line."""
    return "".join(text for text, _ in line)


def shown(text: str) -> str:
    """A text from outside, like a file's name, so that it cannot steer the terminal."""
    return harmless(text, "")
