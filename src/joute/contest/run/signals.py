"""Stopping on request: a signal becomes a flag that is looked at between steps."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop:
    """While open, the first SIGINT, SIGTERM or SIGHUP sets `requested`; a second SIGINT interrupts.

    A signal that was ignored stays so, as SIGHUP under `nohup`. Signals can be caught in a
    program's main thread only; elsewhere `requested` is left to others.
    """

    def __init__(self) -> None:
        self.requested = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Stop:
        if threading.current_thread() is threading.main_thread():
            self._before = {
                number: signal.signal(number, self._note)
                for number in _SIGNALS
                if signal.getsignal(number) != signal.SIG_IGN
            }
        return self

    def _note(self, number: int, _frame: FrameType | None) -> None:
        if self.requested and number == signal.SIGINT:
            raise KeyboardInterrupt
        self.requested = True

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
