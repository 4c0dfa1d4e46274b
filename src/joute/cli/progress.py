"""Progress on standard error: what is done, rate, time left, for what takes longer than 2 s.

On a terminal a bar; elsewhere a line about every ten seconds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from joute.i18n.figures import duration
from joute.i18n.words import say

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

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
        if done >= total or now - self._started < QUIET_SECONDS:
            return
        if sys.stderr.isatty():
            self._show_bar(done, total)
        elif now - self._lined >= LINE_SECONDS:
            self._lined = now
            print(self.line(done, total), file=sys.stderr, flush=True)

    def line(self, done: int, total: int) -> str:
        """How far it is, in words."""
        fresh = done - (self._already or 0)
        rate = fresh / max(self._clock() - self._started, 1e-9)
        left = duration((total - done) / rate) if rate > 0.0 else "?"
        return say("progress.line", done=done, total=total, rate=f"{rate:.3g}", left=left)

    def _show_bar(self, done: int, total: int) -> None:
        if self._bar is None:
            self._bar = _open_bar()
        task = self._bar.task_ids[0]
        self._bar.update(task, completed=done, total=total, said=self.line(done, total))

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()


def _open_bar() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn
    from rich.progress import Progress as Bar

    from joute.cli.output import behind

    said = TextColumn("{task.fields[said]}", markup=False)
    bar = Bar(BarColumn(), said, console=Console(file=behind(sys.stderr)), transient=True)
    bar.add_task("", said="")
    bar.start()
    return bar
