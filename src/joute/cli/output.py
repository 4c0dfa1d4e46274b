"""Standard output and error of a command: nothing that is printed steers the terminal.

`guarded` puts a filter before both streams, so that no command can forget it. What draws with
escape sequences of our own writes to the stream behind the filter (`behind`), and has seen to it
that they are the only ones.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from joute.text import harmless


class _Filtered:
    """A stream to which harmless text is written; all else is the stream's own."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(harmless(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def guarded() -> Iterator[None]:
    """Filters what is printed meanwhile, and the traceback of an exception that nobody catches."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast("TextIO", _Filtered(behind(stream))) for stream in before)
    yield
    sys.stdout, sys.stderr = before


def behind(stream: TextIO) -> TextIO:
    """The stream behind the filter, if it has one."""
    return stream.stream if isinstance(stream, _Filtered) else stream


def print_drawn(text: str) -> None:
    """Prints what a palette has painted: it made the rest harmless."""
    print(text, file=behind(sys.stdout))
