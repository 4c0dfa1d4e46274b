"""Updates over WebSockets: connections to wake, and messages that they share."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

SLOW_SECONDS = 20.0
"""A browser that does not read a message for so long is disconnected; it may connect again."""
TRY_AGAIN = 1013  # close code of WebSockets
LONGEST_REASON = 123  # bytes, that a WebSocket may be closed with: RFC 6455, 5.5
KEPT = 32
"""The number of messages that are kept: the last positions, by language and by who sees them."""


class MessageCache:
    """Messages that are encoded once for all connections. May be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Hashable, str] = OrderedDict()
        self._passing: dict[Hashable, str] = {}

    def lasting(self, key: Hashable, make: Callable[[], Any]) -> str:
        """The text of a message that never changes, like a position."""
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
        """The text of a message that holds until `forget`."""
        with self._lock:
            if key not in self._passing:
                self._passing[key] = encoded(make())
            return self._passing[key]

    def forget(self) -> None:
        """Drops the messages of `passing`, to be made again."""
        with self._lock:
            self._passing.clear()


def encoded(message: Any) -> str:
    """A message as JSON."""
    return msgspec.json.encode(message).decode()


class Watchers:
    """The connections of a table. Each looks up what is new for itself, when it is ready.

    So nothing is queued for a connection that reads slowly, and it keeps nobody waiting.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._events: dict[asyncio.AbstractEventLoop, set[asyncio.Event]] = defaultdict(set)

    def join(self) -> asyncio.Event:
        """A new event of the running loop, set at all news from now on."""
        event = asyncio.Event()
        with self._lock:
            self._events[asyncio.get_running_loop()].add(event)
        return event

    def leave(self, event: asyncio.Event) -> None:
        """Stops setting an event."""
        loop = asyncio.get_running_loop()
        with self._lock:
            self._events[loop].discard(event)
            if not self._events[loop]:
                del self._events[loop]

    def __len__(self) -> int:
        with self._lock:
            return sum(map(len, self._events.values()))

    def wake(self) -> None:
        """Sets all events. May be called from any thread."""
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


async def refuse(socket: WebSocket, code: int, reason: str) -> None:
    """Closes a connection with a sentence, or as much of it as there is room for."""
    await socket.close(code, reason.encode()[:LONGEST_REASON].decode(errors="ignore"))


async def send(socket: WebSocket, text: str) -> None:
    """Sends a message. Raises WebSocketDisconnect if the browser has not read it in time."""
    try:
        async with asyncio.timeout(SLOW_SECONDS):
            await socket.send_text(text)
    except TimeoutError:
        await socket.close(TRY_AGAIN)
        raise WebSocketDisconnect(TRY_AGAIN) from None
