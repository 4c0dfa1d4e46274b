"""The application behind uvicorn, with limits on its connections.

A client that begins a request and does not finish it, sends its body slowly, or does not read the
answer, holds a connection that others need. Such connections are closed after some seconds; where
there is no room for a new one, the oldest that has sent no request yet, or pauses, is closed.
"""

from __future__ import annotations

import asyncio
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from joute.web.app import create_app
from joute.web.settings import Settings

LARGEST_MESSAGE = 2**16  # bytes, of a WebSocket
QUEUE = 1024  # connections that may wait in the system to be taken
TAKEN = 32  # connections that are taken in one turn of the loop
UNSEEN = 4 * TAKEN  # ... and that are open before the gate sees them, or not yet closed after
RESERVED = 128  # descriptors that are left for files and processes
MOST_CONNECTIONS = 8192
LEAST_CONNECTIONS = 32
_FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 10\r\nContent-Length: 0\r\n"
    b"Connection: close\r\n\r\n"
)


class Config(uvicorn.Config):
    """The configuration of uvicorn; `gate` limits the connections."""

    def __init__(self, settings: Settings, gate: ConnectionLimiter) -> None:
        super().__init__(
            create_app(settings),
            http=Http,
            ws=Socket,
            log_config=None,  # uvicorn's closes the handlers of all other libraries in the process
            log_level="warning",
            ws_max_size=LARGEST_MESSAGE,
            ws_per_message_deflate=False,  # what hundreds of watchers are sent is short
            server_header=False,
            timeout_graceful_shutdown=2,
            proxy_headers=settings.proxied,
            backlog=TAKEN,
        )
        self.gate = gate


class Server(uvicorn.Server):
    """The server of an application. Its sockets are given to `run`."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listens: few connections are taken at once, and many may wait."""
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(QUEUE)


class Http(H11Protocol):
    """A connection over which requests come."""

    config: Config

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.config.gate.enter(self, _address(self.client))

    def connection_lost(self, exc: Exception | None) -> None:
        self.config.gate.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        cycle = self._cycle()
        if cycle is not None:
            self.config.gate.hears(self, cycle.more_body)

    def on_response_complete(self) -> None:
        self.config.gate.waits_for_request(self)
        super().on_response_complete()
        cycle = self._cycle()
        if cycle is not None:  # the next request was there already
            self.config.gate.hears(self, cycle.more_body)

    def _cycle(self) -> RequestResponseCycle | None:
        cycle: RequestResponseCycle | None = self.cycle
        return None if cycle is None or cycle.response_complete else cycle

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Makes the connection a WebSocket, if there is room for one."""
        if not self.config.gate.has_room_for_socket(_address(self.client)):
            self.transport.write(_FULL)
            self.transport.close()
            return
        self.config.gate.leave(self)
        super().handle_websocket_upgrade(event)


class Socket(WebSocketsSansIOProtocol):
    """A connection that is a WebSocket."""

    config: Config

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.config.gate.enter(self, _address(self.client), socket=True)

    def connection_lost(self, exc: Exception | None) -> None:
        self.config.gate.leave(self)
        super().connection_lost(exc)


def _address(client: tuple[str, int] | None) -> str:
    return client[0] if client else ""


def config(settings: Settings) -> Config:
    """The application for these settings, with as many connections as this process may have."""
    return Config(settings, ConnectionLimiter(_room(), shared=settings.proxied))


def _room() -> int:
    """The number of connections that fit, with as many descriptors as the system gives."""
    if sys.platform == "win32":
        return LEAST_CONNECTIONS * 8
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = hard == resource.RLIM_INFINITY
    wanted = MOST_CONNECTIONS + UNSEEN + RESERVED
    wanted = wanted if unlimited else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (OSError, ValueError):  # macOS has a limit of its own below
            pass
    known = MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else soft - UNSEEN - RESERVED
    return max(min(known, MOST_CONNECTIONS), LEAST_CONNECTIONS)


HEAD_SECONDS = 10.0  # in which a request is to be made, from its connection or the answer before
GRACE_SECONDS = 2.0  # without a byte of a request, after which another may have its room
PAUSE_SECONDS = 20.0  # without a byte of a request's body
BODY_SECONDS = 180.0  # in which a request's body is to come whole
READ_SECONDS = 30.0  # in which an answer, or READ_BYTES of it, is to be read
READ_BYTES = 32 * 1024
MOST_IDLE = 256  # connections that have asked for nothing yet, or pause
SWEEP_SECONDS = 1.0  # between two looks at all connections


class Wire(Protocol):
    """A connection's end at the server, as uvicorn has it."""

    transport: asyncio.Transport


@dataclass(eq=False)
class Opened:
    """An open connection; times are the clock's."""

    wire: Wire
    address: str
    since: float
    """The time when waiting for a request, or its body, began."""
    silent: bool = True
    """Whether a request is waited for."""
    heard: float | None = None
    """The time of the last byte of the request's body; None if the body is complete."""
    socket: bool = False
    """Whether it is a WebSocket, which may stay silent."""
    unread: tuple[int, float] | None = None
    """The number of bytes left to read at a time, and that time."""


class ConnectionLimiter:
    """The open connections of a server. Its methods are for the loop that serves them.

    `most` connections are held at once; half of them for one address, unless `shared` says that
    everybody comes from the same one, a server in front of this one.
    """

    def __init__(
        self, most: int, shared: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._most_of_one = most if shared else most // 2
        self._clock = clock
        self._open: dict[Wire, Opened] = {}  # the oldest first
        self._of: Counter[str] = Counter()  # connections, by address
        self._sweeping = False

    def enter(self, wire: Wire, address: str, *, socket: bool = False) -> None:
        """Adds a connection; another, or itself, is closed if there is no room for it."""
        opened = Opened(wire, address, self._clock(), silent=not socket, socket=socket)
        self._open[wire] = opened
        self._of[address] += 1
        self._make_room(opened)
        if not self._sweeping:
            self._sweeping = True
            asyncio.get_running_loop().call_later(SWEEP_SECONDS, self._sweep)

    def leave(self, wire: Wire) -> None:
        """Removes a connection: it is closed, or another protocol's."""
        opened = self._open.pop(wire, None)
        if opened is not None:
            self._of[opened.address] -= 1
            if not self._of[opened.address]:
                del self._of[opened.address]

    def has_room_for_socket(self, address: str) -> bool:
        """Whether one more WebSocket leaves room for pages."""
        sockets = [each for each in self._open.values() if each.socket]
        of_one = sum(each.address == address for each in sockets)
        return len(sockets) < 3 * self._most // 4 and of_one < 3 * self._most_of_one // 4

    def waits_for_request(self, wire: Wire) -> None:
        """Notes that the last request is answered."""
        opened = self._open.get(wire)
        if opened is not None and not opened.silent:
            opened.silent, opened.heard, opened.since = True, None, self._clock()

    def hears(self, wire: Wire, more: bool) -> None:
        """Notes that a part of a request came; `more` of its body is to come."""
        opened = self._open.get(wire)
        if opened is None:
            return
        now = self._clock()
        if opened.silent:
            opened.silent, opened.since = False, now
        opened.heard = now if more else None

    def _make_room(self, new: Opened) -> None:
        now = self._clock()
        idle = [each for each in self._open.values() if _is_idle(each, now)]
        if self._of[new.address] > self._most_of_one:
            self._end(next((each for each in idle if each.address == new.address), new))
        elif len(self._open) > self._most or len(idle) > MOST_IDLE:
            # Of the address that has most of them, so that one address cannot crowd out others.
            crowd = Counter(each.address for each in idle).most_common(1)
            self._end(next((each for each in idle if each.address == crowd[0][0]), new))

    def _end(self, opened: Opened) -> None:
        self.leave(opened.wire)
        opened.wire.transport.abort()

    def _sweep(self) -> None:
        now = self._clock()
        for opened in list(self._open.values()):
            if self._is_late(opened, now):
                self._end(opened)
        self._sweeping = bool(self._open)
        if self._sweeping:
            asyncio.get_running_loop().call_later(SWEEP_SECONDS, self._sweep)

    def _is_late(self, opened: Opened, now: float) -> bool:
        if opened.wire.transport.get_write_buffer_size():
            return self._is_unread(opened, now)
        opened.unread = None
        if opened.socket:
            return False
        if opened.silent:
            return now - opened.since > HEAD_SECONDS
        if opened.heard is None:
            return False
        return now - opened.heard > PAUSE_SECONDS or now - opened.since > BODY_SECONDS

    def _is_unread(self, opened: Opened, now: float) -> bool:
        """Whether the client hardly reads its answer."""
        left = opened.wire.transport.get_write_buffer_size()
        before, since = opened.unread or (left, now)
        if now - since <= READ_SECONDS:
            opened.unread = before, since
            return False
        opened.unread = left, now
        return before - left < READ_BYTES


def _is_idle(opened: Opened, now: float) -> bool:
    """Whether it may be closed for another: no request yet, or a body that does not come."""
    if opened.heard is not None:
        return now - opened.heard > GRACE_SECONDS
    return opened.silent
