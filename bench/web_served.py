"""The application as the benches of the web serve it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic, sleep
from typing import Any

import uvicorn

from joute.servers.web.app import create_app
from joute.servers.web.tables.tables import Tables

PATIENCE = 120.0  # seconds after which a measurement that hangs fails
VISITOR = "bench"


@contextmanager
def served() -> Iterator[tuple[Tables, int]]:
    """The application on a port of this machine, as `joute serve` runs it."""
    app = create_app()
    config = uvicorn.Config(
        app,
        host="127.0.0.1",
        port=0,
        log_level="error",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        until(lambda: server.started)
        yield app.state.tables, server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()


def until(found: Any) -> Any:
    """The first true value; asked again and again, as nothing here is to be measured."""
    deadline = monotonic() + PATIENCE
    while not (value := found()):
        if monotonic() > deadline:
            raise TimeoutError(f"waited for {PATIENCE:g} s in vain")
        sleep(0.0005)
    return value
