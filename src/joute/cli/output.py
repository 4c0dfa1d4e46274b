"""Standard output and error of a command: nothing that is printed steers the terminal.

`guarded` puts a filter before both streams, so that no command can forget it. What draws with
escape sequences of our own writes to the stream behind the filter (`behind`), and has seen to it
that they are the only ones.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO, cast

from joute.i18n.figures import duration, plain
from joute.i18n.words import say
from joute.text import harmless

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bar


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


PLAIN_WIDTH = 400  # columns, where the output is no terminal; lines are as long as their content


def _console() -> Console:
    """Standard output: with the colours and width of a terminal, or plain."""
    from rich.console import Console

    width = None if sys.stdout.isatty() else PLAIN_WIDTH
    return Console(file=behind(sys.stdout), width=width, highlight=False, markup=False, emoji=False)


def print_json(data: Any) -> None:
    """Prints plain data, msgspec structs and sentences, as one JSON document."""
    import msgspec

    from joute.text import escaped

    plain = msgspec.to_builtins(data, enc_hook=str)
    print(escaped(json.dumps(plain, ensure_ascii=False, indent=2)))


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    title: str = "",
    numbers: Sequence[int] = (),
) -> None:
    """Prints a table; the columns at the places `numbers` are set to the right.

    Where the terminal is too narrow, cells go on in a second line; nothing is cut.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from joute.text import harmless

    out = _console()
    table = Table(
        box=box.SIMPLE_HEAD,
        title=harmless(title) or None,
        title_justify="left",
        title_style="bold",
        header_style="bold",
        show_edge=False,
    )
    for place, column in enumerate(columns):
        right = place in numbers
        table.add_column(harmless(column), justify="right" if right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(harmless(cell)) for cell in row))
    if out.is_terminal:
        out.print(table)
        return
    with out.capture() as printed:
        out.print(table)
    for line in printed.get().splitlines():
        print(line.rstrip())


QUIET_SECONDS = 2.0  # nothing is shown before
LINE_SECONDS = 10.0  # between two lines, where there is no terminal


class Progress:
    """Shows how far something is: call `update`; use it as a context manager.

    What was done at the first `update` was there before and does not count in the rate.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._started = clock()
        self._lined = self._started + QUIET_SECONDS - LINE_SECONDS
        self._already: int | None = None
        self._bar: Bar | None = None

    def update(self, done: int, total: int, *_more: object) -> None:
        """`done` games (or checks) of `total` are over."""
        if self._already is None:
            self._already = done
        now = self._clock()
        if self._bar is not None:
            self._show_bar(self._bar, done, total)
        elif done >= total or now - self._started < QUIET_SECONDS:
            return
        elif sys.stderr.isatty():
            self._bar = _open_bar()
            self._show_bar(self._bar, done, total)
        elif now - self._lined >= LINE_SECONDS and not _is_file(sys.stderr):
            self._lined = now
            print(self.line(done, total), file=sys.stderr, flush=True)

    def line(self, done: int, total: int) -> str:
        """The progress, in words."""
        fresh = done - (self._already or 0)
        rate = fresh / max(self._clock() - self._started, 1e-9)
        left = duration((total - done) / rate) if rate > 0.0 else "?"
        return say(
            "progress.line", done=done, total=total, rate=plain(float(f"{rate:.3g}")), left=left
        )

    def _show_bar(self, bar: Bar, done: int, total: int) -> None:
        bar.update(bar.task_ids[0], completed=done, total=total, said=self.line(done, total))

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()


def _is_file(stream: Any) -> bool:
    """Whether what is printed there is kept in a file, which nobody watches."""
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):
        return False


def _open_bar() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    said = TextColumn("{task.fields[said]}", markup=False)
    bar = Bar(BarColumn(), said, console=Console(file=behind(sys.stderr)), transient=True)
    bar.add_task("", said="")
    bar.start()
    return bar
