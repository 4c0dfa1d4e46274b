"""The organiser's logins: a cookie counts while its login is kept here, and nowhere else.

They are kept in the data folder, by the hash of the secret in the cookie, so that they last when
the server is started again, and whoever reads the file cannot log in.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock

import msgspec

from joute.web.settings import write_private

FILE = "logins.json"
LOGIN_SECONDS = 12 * 3600
MOST = 1000  # logins; the oldest are forgotten first


class Sessions:
    """The logins that count."""

    def __init__(self, data: Path | None, clock: Callable[[], float] = time.time) -> None:
        """Those of a data folder; without one they end with the server."""
        self._path = None if data is None else data / FILE
        self._clock = clock
        self._lock = Lock()
        self._until: dict[str, float] = {}  # by hash, when it ends
        if self._path is not None and self._path.is_file():
            try:
                self._until = msgspec.json.decode(self._path.read_bytes(), type=dict[str, float])
            except msgspec.DecodeError:  # a damaged file logs everybody out
                self._until = {}

    def open(self) -> str:
        """The secret of a new login."""
        secret = secrets.token_urlsafe(24)
        with self._lock:
            now = self._clock()
            self._until = {name: end for name, end in self._until.items() if end > now}
            self._until[_name(secret)] = now + LOGIN_SECONDS
            while len(self._until) > MOST:
                del self._until[next(iter(self._until))]
            self._keep()
        return secret

    def knows(self, secret: str) -> bool:
        """Whether a login with that secret counts."""
        return self._until.get(_name(secret), 0.0) > self._clock()

    def close(self, secret: str) -> None:
        """The login counts no more."""
        with self._lock:
            if self._until.pop(_name(secret), None) is not None:
                self._keep()

    def _keep(self) -> None:
        if self._path is not None:
            write_private(self._path, msgspec.json.encode(self._until))


def _name(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
