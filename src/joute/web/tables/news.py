"""News of a table for its connections: who is to hear of it, and the messages they are sent."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable
from typing import Any

import msgspec

KEPT = 32
"""Positions that are kept: the last ones, as the languages and the eyes of the viewers differ."""


class Texts:
    """Messages by what makes them differ. May be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, str] = OrderedDict()
        self._passing: dict[Hashable, str] = {}

    def lasting(self, key: Hashable, make: Callable[[], Any]) -> str:
        """The text of what never changes, like a position."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            text = encoded(make())
            self._kept[key] = text
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return text

    def passing(self, key: Hashable, make: Callable[[], Any]) -> str:
        """The text of what holds until `forget`."""
        with self._lock:
            if key not in self._passing:
                self._passing[key] = encoded(make())
            return self._passing[key]

    def forget(self) -> None:
        """What holds for a while is to be made again."""
        with self._lock:
            self._passing.clear()


def encoded(message: Any) -> str:
    """A message as JSON."""
    return msgspec.json.encode(message).decode()


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
