"""Keys and screen of a terminal, for commands that stay on it. POSIX only."""

from __future__ import annotations

import os
import re
import select
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

from joute.cli.output import behind

ESCAPE_SECONDS = 0.05  # a key's escape sequence arrives at once; a lone Escape does not go on
_ENTER_SCREEN = "\x1b[?1049h\x1b[?25l"
_LEAVE_SCREEN = "\x1b[?25h\x1b[?1049l"
_HOME = "\x1b[H"
_CLEAR_LINE = "\x1b[K"  # from the cursor on
_CLEAR_REST = "\x1b[J"  # and all lines below

_KEYS = {
    "\x1b[D": "left", "\x1bOD": "left", "\x1b[C": "right", "\x1bOC": "right",
    "\x1b[A": "up", "\x1bOA": "up", "\x1b[B": "down", "\x1bOB": "down",
    "\x1b[H": "home", "\x1bOH": "home", "\x1b[1~": "home", "\x1b[7~": "home",
    "\x1b[F": "end", "\x1bOF": "end", "\x1b[4~": "end", "\x1b[8~": "end",
    "\x1b[5~": "page up", "\x1b[6~": "page down", "\x1b": "escape", "": "eof",
}  # fmt: skip
_SEQUENCE = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Z]|)|.", re.DOTALL)


@contextmanager
def screen() -> Iterator[None]:
    """A blank screen without a cursor, keys unechoed; all is as before afterwards."""
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    out = behind(sys.stdout)
    out.write(_ENTER_SCREEN)
    try:
        tty.setcbreak(keyboard)
        yield
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
        out.write(_LEAVE_SCREEN)
        out.flush()


def show(text: str) -> None:
    """Puts text on the screen, over what was there: it does not flicker.

    It may hold escape sequences of ours, so the caller has made the rest of it harmless.
    """
    out = behind(sys.stdout)
    out.write(_HOME + text.replace("\n", _CLEAR_LINE + "\n") + _CLEAR_REST)
    out.flush()


def pressed() -> Iterator[str]:
    """The keys pressed, by name ("left", "home", "q"); ends with the input."""
    keyboard = sys.stdin.fileno()
    while read := os.read(keyboard, 1024):
        if read.endswith(b"\x1b") and select.select([keyboard], [], [], ESCAPE_SECONDS)[0]:
            read += os.read(keyboard, 1024)
        yield from names_of(read.decode(errors="replace"))


def waiting(seconds: float) -> list[str]:
    """The keys pressed within that time, as soon as there are any."""
    keyboard = sys.stdin.fileno()
    if not select.select([keyboard], [], [], max(seconds, 0.0))[0]:
        return []
    read = os.read(keyboard, 1024)
    if read.endswith(b"\x1b") and select.select([keyboard], [], [], ESCAPE_SECONDS)[0]:
        read += os.read(keyboard, 1024)
    return names_of(read.decode(errors="replace")) if read else ["eof"]


def forget_keys() -> None:
    """Drops what was typed and not read yet: it was meant for something that is over."""
    termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)


def names_of(text: str) -> list[str]:
    """The keys in what a terminal sent; a sequence of no key that we know is dropped."""
    found = _SEQUENCE.findall(text)
    return [_KEYS.get(each, each) for each in found if each in _KEYS or not each.startswith("\x1b")]
