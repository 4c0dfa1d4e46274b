"""Text of strangers made harmless: it steers no terminal and hides nothing from its reader.

Exceptions, messages, output and names of files are whatever their author wrote. A terminal obeys
control characters (its title, the clipboard, what was printed before), marks of direction show a
line in another order than it has, and marks without a width hide a difference.
"""

from __future__ import annotations

import unicodedata

LONGEST_BRIEF = 160  # characters
_KEPT = "\n\t"


def harmless(text: str, kept: str = _KEPT) -> str:
    """The text, with U+FFFD for each character that is not seen as itself, but for those `kept`."""
    if text.isprintable():
        return text
    return "".join(mark if _is_seen(mark) or mark in kept else "\N{REPLACEMENT CHARACTER}"
                   for mark in text)  # fmt: skip


def _is_seen(mark: str) -> bool:
    """Whether it is a character with a shape, or a space of whatever width."""
    return mark.isprintable() or unicodedata.category(mark) == "Zs"


def brief(text: str, most: int = LONGEST_BRIEF) -> str:
    """A text as it fits into a line of ours: one line, harmless, at most so many characters."""
    return cut(harmless(" ".join(text.split()), ""), most)


def cut(text: str, most: int) -> str:
    """The text, or its first `most` characters and three dots."""
    return text if len(text) <= most else f"{text[:most]}..."


def escaped(json: str) -> str:
    """JSON with the same meaning, in which what would not be harmless is written as an escape."""
    return json if json.isprintable() else "".join(map(_in_json, json))


def _in_json(mark: str) -> str:
    if _is_seen(mark) or mark in _KEPT:
        return mark
    units = mark.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
