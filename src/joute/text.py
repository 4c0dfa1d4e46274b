"""Text: untrusted text made harmless, lines in styles, and names derived from others.

Exceptions, messages, output and names of files are whatever their author wrote. A terminal obeys
control characters (its title, the clipboard, what was printed before), marks of direction show a
line in another order than it has, and marks without a width hide a difference.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from itertools import chain, count, dropwhile

LONGEST_BRIEF = 160  # characters
LONGEST_SLUG = 40
_KEPT = "\n\t"
_PLACE = re.compile(r'File "([^"]+)", line (\d+)')
_TRACEBACK = "Traceback (most recent call last):"
_ERROR = re.compile(r"[^\W\d][\w.]*(:|$)")
_SYNTAX = ("SyntaxError", "IndentationError", "TabError")
# Lines that runtimes of other languages write below an error: Node.js, Java, Rust, Go.
_TRAIL = re.compile(
    r"\s*$|\s+(?:at |\.\.\. \d+ more|\d+: |\S+\.go:\d+)"
    r"|Node\.js v\d|\(Use `node |Require stack:|- /"
    r"|note: (?:run with|Some details)|stack backtrace:"
    r"|goroutine \d|created by |[\w/]+\.[\w./*()]*\([^ ]*\)$|exit status \d"
)
_PROPERTIES = re.compile(r" \{\n(?:  .*\n)+\}\n+(?=Node\.js v\d)")  # of an error of Node.js
_PANICKED = re.compile(r".*\bpanicked at \S+:$")

Line = list[tuple[str, str]]
"""A line as (text, style) pairs; whoever shows it knows the styles."""


def plain(line: Line) -> str:
    """The text of a line."""
    return "".join(text for text, _ in line)


def harmless(text: str, kept: str = _KEPT) -> str:
    """The text, with U+FFFD for each character that is not seen as itself, but for those `kept`."""
    if text.isprintable():
        return text
    return "".join(mark if _is_seen(mark) or mark in kept else "\N{REPLACEMENT CHARACTER}"
                   for mark in text)  # fmt: skip


def shown(text: str) -> str:
    """A text from outside, such as the name of a file, so that it cannot steer the terminal."""
    return harmless(text, "")


def brief(text: str, most: int = LONGEST_BRIEF) -> str:
    """A text as it fits into a line of ours: one line, harmless, at most so many characters."""
    return cut(shown(" ".join(text.split())), most)


def cut(text: str, most: int) -> str:
    """The text, or its first `most` characters and three dots."""
    return text if len(text) <= most else f"{text[:most]}..."


def escaped(json: str) -> str:
    """JSON with the same meaning, in which characters that are not harmless are escapes."""
    return json if json.isprintable() else "".join(map(_in_json, json))


def _in_json(mark: str) -> str:
    if _is_seen(mark) or mark in _KEPT:
        return mark
    units = mark.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def _is_seen(mark: str) -> bool:
    """Whether a character has a shape, or is a space of whatever width."""
    return mark.isprintable() or unicodedata.category(mark) == "Zs"


def last_line(text: str) -> str:
    """The last line of a text that is not empty; "" if there is none.

    Of a file that cannot be read as Python it says before where that is.
    """
    lines = text.strip().splitlines()
    return _placed(lines[-1].strip(), text) if lines else ""


def last_words(text: str) -> str:
    """The line of what a program printed last that says most: its error, not what is below it."""
    lines = _PROPERTIES.sub("\n", text).rstrip().splitlines()
    kept = len(lines)
    while kept and _TRAIL.match(lines[kept - 1]):
        kept -= 1
    if not kept:
        return last_line(text)
    said = last_line("\n".join(lines[:kept]))
    above = lines[kept - 2] if kept > 1 else ""
    return f"{above.strip()} {said}" if _PANICKED.fullmatch(above) else said


def in_one_line(text: str) -> str:
    """A text of several lines in one: the last, or the error of a traceback.

    Of a file that cannot be read as Python it says before where that is.
    """
    if _TRACEBACK not in text:
        return last_line(text)
    # The text of an exception, which has a line of its own behind those of code, may have more.
    below = text.rpartition(_TRACEBACK)[2].splitlines()[1:]
    error = " ".join(line.strip() for line in dropwhile(lambda line: not _ERROR.match(line), below))
    return _placed(error, text) if error else last_line(text)


def _placed(error: str, text: str) -> str:
    """An error of a traceback, after its place where it is one of syntax."""
    places = _PLACE.findall(text)
    if places and error.startswith(_SYNTAX):
        return f"{places[-1][0]}:{places[-1][1]}: {error}"
    return error


def free_name(name: str, taken: Callable[[str], bool], between: str = " ") -> str:
    """The name, or the first of NAME 2, NAME 3 ... that is not taken.

    `between` stands between the name and its number.
    """
    numbered = (f"{name}{between}{number}" for number in count(2))
    return next(each for each in chain([name], numbered) if not taken(each))


def composed(name: str) -> str:
    """The form that names are compared in: two that look the same are the same.

    A keyboard writes an accent and its letter as one character, names of files of a Mac as two.
    """
    return unicodedata.normalize("NFC", name)


def spelt(name: str, known: Iterable[str]) -> str | None:
    """The one of the known names that looks like this one; None without one."""
    same = composed(name)
    return next((each for each in known if composed(each) == same), None)


def slug(name: str) -> str:
    """A name in small letters, digits and hyphens, LONGEST_SLUG at most; it may be empty."""
    ascii_only = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_only.lower()).strip("-")[:LONGEST_SLUG]


def numbered_name(number: int, name: str) -> str:
    """The name of one of several files without its ending, so that they stand in order."""
    return f"{number:02d}-{slug(name)}".rstrip("-")
