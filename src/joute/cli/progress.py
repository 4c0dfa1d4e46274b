"""Progress on standard error: games done, rate, time left, for what takes longer than 2 s.

On a terminal a bar; elsewhere a line about every ten seconds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

from joute.cli.words import say

QUIET_SECONDS = 2.0  # nothing is shown before
LINE_SECONDS = 10.0  # between two lines, where there is no terminal


class Progress:
    """Shows how far `total` games are. Call `update`; use it as a context manager.

    `already` games were done before the start and do not count in the rate.
    """

    def __init__(
        self, total: int, already: int = 0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._total = total
        self._already = already
        self._done = already
        self._clock = clock
        self._started = clock()
        self._lined = self._started + QUIET_SECONDS - LINE_SECONDS
        self._bar: Any = None

    def update(self, done: int, total: int | None = None) -> None:
        """`done` games of `total` (default: as before) are played."""
        self._done = done
        self._total = self._total if total is None else total
        if sys.stderr.isatty():
            self._show_bar()
        elif self._clock() - self._lined >= LINE_SECONDS and done < self._total:
            self._lined = self._clock()
            print(self.line(), file=sys.stderr, flush=True)

    def line(self) -> str:
        """How far it is, in words."""
        seconds = max(self._clock() - self._started, 1e-9)
        rate = (self._done - self._already) / seconds
        left = duration((self._total - self._done) / rate) if rate > 0.0 else "?"
        return say(
            "progress.line", done=self._done, total=self._total, rate=f"{rate:.3g}", left=left
        )

    def _show_bar(self) -> None:
        if self._bar is None:
            if self._clock() - self._started < QUIET_SECONDS:
                return
            self._bar = _open_bar()
        progress, task = self._bar
        progress.update(task, completed=self._done, total=self._total, said=self.line())

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar[0].stop()


def _open_bar() -> tuple[Any, Any]:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    bar = Bar(BarColumn(), TextColumn("{task.fields[said]}"), console=Console(stderr=True),
              transient=True)
    task = bar.add_task("", said="")
    bar.start()
    return bar, task


def duration(seconds: float) -> str:
    """A length of time in its two largest units: "42 s", "3 min 05 s", "2 h 10 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"
