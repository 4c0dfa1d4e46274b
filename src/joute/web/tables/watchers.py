"""Who is to hear of news: connections of any event loop, woken by any thread."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict


class Watchers:
    """The connections of a table. What is new each looks up for itself, at its own pace.

    So nothing is queued for a connection that reads slowly, and it keeps nobody waiting.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._events: dict[asyncio.AbstractEventLoop, set[asyncio.Event]] = defaultdict(set)

    def join(self) -> asyncio.Event:
        """An event of the running loop that is set at all news from now on."""
        event = asyncio.Event()
        with self._lock:
            self._events[asyncio.get_running_loop()].add(event)
        return event

    def leave(self, event: asyncio.Event) -> None:
        """The event is set no more."""
        loop = asyncio.get_running_loop()
        with self._lock:
            self._events[loop].discard(event)
            if not self._events[loop]:
                del self._events[loop]

    def __len__(self) -> int:
        with self._lock:
            return sum(map(len, self._events.values()))

    def wake(self) -> None:
        """Tell all of them; from any thread."""
        with self._lock:
            loops = list(self._events)
        for loop in loops:
            try:
                loop.call_soon_threadsafe(self._set, loop)
            except RuntimeError:  # the loop is closed: its connections are about to go
                continue

    def _set(self, loop: asyncio.AbstractEventLoop) -> None:
        with self._lock:
            events = list(self._events.get(loop, ()))
        for event in events:
            event.set()
