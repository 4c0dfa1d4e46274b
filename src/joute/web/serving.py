"""The application behind uvicorn, whose connections go through a gate."""

from __future__ import annotations

import asyncio
import socket
import sys
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from joute.web.app import create_app
from joute.web.gate import Gate
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
    """How the application is served; `gate` counts its connections."""

    def __init__(self, settings: Settings, gate: Gate) -> None:
        super().__init__(
            create_app(settings),
            http=Http,
            ws=Socket,
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
        """It listens: few connections are taken at once, and many may wait for it."""
        await super().startup(sockets)
        for each in sockets or ():
            each.listen(QUEUE)


class Http(H11Protocol):
    """A connection over which requests come."""

    config: Config

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """It is open."""
        super().connection_made(transport)
        self.config.gate.enter(self, _address(self.client))

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self.config.gate.leave(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Something came."""
        super().data_received(data)
        cycle = self._cycle()
        if cycle is not None:
            self.config.gate.hears(self, cycle.more_body)

    def on_response_complete(self) -> None:
        """An answer is given."""
        self.config.gate.waits_for_request(self)
        super().on_response_complete()
        cycle = self._cycle()
        if cycle is not None:  # the next request was there already
            self.config.gate.hears(self, cycle.more_body)

    def _cycle(self) -> RequestResponseCycle | None:
        """The request that is being answered."""
        cycle: RequestResponseCycle | None = self.cycle
        return None if cycle is None or cycle.response_complete else cycle

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """It is a WebSocket from now on, if there is room for one."""
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
        """It was made one."""
        super().connection_made(transport)
        self.config.gate.enter(self, _address(self.client), socket=True)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self.config.gate.leave(self)
        super().connection_lost(exc)


def _address(client: tuple[str, int] | None) -> str:
    return client[0] if client else ""


def config(settings: Settings) -> Config:
    """The application for these settings, with as many connections as this process may have."""
    return Config(settings, Gate(_room(), shared=settings.proxied))


def _room() -> int:
    """How many connections there may be: as many descriptors as are to be had are asked for."""
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
