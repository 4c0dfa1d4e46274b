"""The application as the benches of the web serve it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import uvicorn

from joute.web.serving import config
from joute.web.settings import Settings
from joute.web.tables.tables import Tables

PATIENCE = 120.0  # seconds after which a measurement that hangs fails
VISITOR = "bench"


@contextmanager
def served(folders: tuple[Path, ...] = ()) -> Iterator[tuple[Tables, int]]:
    """The application on a port of this machine, as `joute serve` runs it."""
    made = config(Settings(folders=folders))
    made.port = 0
    server = uvicorn.Server(made)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        until(lambda: server.started)
        yield made.app.state.tables, server.servers[0].sockets[0].getsockname()[1]
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
