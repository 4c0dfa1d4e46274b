"""The organiser: who may create, pause and stop contests.

With a password, the organiser is whoever logged in with it. A cookie counts while its login is
stored in the data folder, by the hash of the secret in the cookie: logins outlast the server, and
whoever reads the file cannot log in. Without a password, the organiser is every program of the
user who started the server. The kernel of Linux tells who owns each TCP socket of this machine.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import os
import secrets
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from urllib.parse import quote

import msgspec
from fastapi import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from joute.i18n.words import say
from joute.web.security import cookie, set_cookie, settings_of
from joute.web.settings import write_private

ORGANISER = "joute_organiser"  # cookie: its user knew the password
FILE = "logins.json"
LOGIN_SECONDS = 12 * 3600
MOST = 1000  # logins; the oldest are forgotten first
LISTS = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
ROOT = 0
_OWN, _STATE, _USER = 1, 3, 7  # columns; the first of them is the socket's own address
_ESTABLISHED = "01"  # a socket that was closed is listed a while as root's


def is_organiser(connection: HTTPConnection) -> bool:
    """Whether this browser may create, pause and stop."""
    known: bool | None = getattr(connection.state, "organiser", None)
    if known is None:
        known = connection.state.organiser = _is_organiser(connection)
    return known


def _is_organiser(connection: HTTPConnection) -> bool:
    password = settings_of(connection).password
    if password is None:  # other people of this machine may look
        return connection.client is None or is_ours(*connection.client)
    known = cookie(connection, ORGANISER, LOGIN_SECONDS)
    if not (isinstance(known, list) and len(known) == 2 and all(isinstance(x, str) for x in known)):
        return False
    mark, secret = known
    right = hmac.compare_digest(mark.encode(), _mark_of(password).encode())
    return right and _logins_of(connection).knows(secret)


def need_organiser(connection: HTTPConnection) -> None:
    """Refuses (403) whoever is not the organiser; a person who looks at a page is asked to log in.

    After that they are led back to the page.
    """
    if is_organiser(connection):
        return
    guarded = settings_of(connection).password is not None
    looking = connection.scope.get("method") == "GET"
    if guarded and looking and "text/html" in connection.headers.get("accept", ""):
        back = f"{connection.url.path}?{connection.url.query}".rstrip("?")
        raise HTTPException(303, headers={"Location": f"/login?back={quote(back)}"})
    raise HTTPException(403, say("web.error.organiser" if guarded else "web.error.owner"))


def password_is_right(password: str, hashed: str) -> bool:
    """Whether it is the password of that hash; takes a tenth of a second on purpose."""
    from argon2 import PasswordHasher
    from argon2.exceptions import Argon2Error, InvalidHashError

    try:
        return PasswordHasher().verify(hashed, password)
    except (Argon2Error, InvalidHashError):
        return False


def log_in(request: Request, response: Response) -> None:
    """Logs this browser in, until the password changes or time is up."""
    password = settings_of(request).password or ""
    known = [_mark_of(password), _logins_of(request).open()]
    set_cookie(request, response, ORGANISER, known, LOGIN_SECONDS)
    request.state.organiser = True


def log_out(request: Request, response: Response) -> None:
    """Logs this browser out, and whoever has a copy of its cookie."""
    known = cookie(request, ORGANISER, LOGIN_SECONDS)
    if isinstance(known, list) and len(known) == 2 and isinstance(known[1], str):
        _logins_of(request).close(known[1])
    response.delete_cookie(ORGANISER)


def _logins_of(connection: HTTPConnection) -> Logins:
    """The logins of the application that received this."""
    logins: Logins = connection.app.state.logins
    return logins


def _mark_of(password: str) -> str:
    """The part of the organiser's cookie that is valid for one password only."""
    return hashlib.sha256(password.encode()).hexdigest()[:32]


class Logins:
    """The logins that are valid."""

    def __init__(self, data: Path | None, clock: Callable[[], float] = time.time) -> None:
        """Reads those of a data folder; without one they end with the server."""
        self._path = None if data is None else data / FILE
        self._clock = clock
        self._lock = Lock()
        self._until: dict[str, float] = {}  # by hash, when it ends
        if self._path is not None and self._path.is_file():
            try:
                self._until = msgspec.json.decode(self._path.read_bytes(), type=dict[str, float])
            except (msgspec.DecodeError, UnicodeDecodeError):  # a damaged file logs everybody out
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
        """Whether there is a valid login with that secret."""
        return self._until.get(_name(secret), 0.0) > self._clock()

    def close(self, secret: str) -> None:
        """Ends a login."""
        with self._lock:
            if self._until.pop(_name(secret), None) is not None:
                self._keep()

    def _keep(self) -> None:
        """Stores the logins; where there is no room, all of them end with the server."""
        if self._path is None:
            return
        try:
            write_private(self._path, msgspec.json.encode(self._until))
        except OSError:
            # The organiser can still come in and make room, and a login that was ended stays so.
            with suppress(OSError):
                self._path.unlink(missing_ok=True)


def _name(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


def is_ours(host: str, port: int, lists: tuple[Path, ...] = LISTS) -> bool:
    """Whether the socket of that address is of the user whose process this is, or of root.

    True as well where that cannot be known: on systems without these lists, from other machines.
    """
    try:
        if not ipaddress.ip_address(host).is_loopback:
            return True
    except ValueError:
        return True
    written = [_written(path) for path in lists]
    if not any(written):
        return True
    wanted = {f"{form}:{port:04X}" for form in _forms(host)}
    owners = {
        line[_USER]
        for lines in written
        for line in lines
        if line[_OWN] in wanted and line[_STATE] == _ESTABLISHED
    }
    return bool(owners) and owners <= {str(user) for user in _users()}


def _users() -> set[int]:
    """The user of this process, root, and the user behind sudo."""
    found = {os.getuid(), ROOT}
    sudo = os.environ.get("SUDO_UID", "")
    return found | ({int(sudo)} if os.getuid() == ROOT and sudo.isdecimal() else set())


def _written(path: Path) -> list[list[str]]:
    try:
        text = path.read_text(encoding="ascii")
    except OSError:
        return []
    return [line.split() for line in text.splitlines()[1:]]


def _forms(host: str) -> list[str]:
    """An address as the lists write it: words of four bytes in the machine's order, in hex."""
    if ":" not in host:
        plain = socket.inet_pton(socket.AF_INET, host)
        return [_hex(plain), _hex(b"\0" * 10 + b"\xff\xff" + plain)]
    packed = ipaddress.IPv6Address(host.partition("%")[0])
    own = [_hex(packed.packed)]
    return own if packed.ipv4_mapped is None else [*own, *_forms(str(packed.ipv4_mapped))]


def _hex(address: bytes) -> str:
    words = (address[at : at + 4] for at in range(0, len(address), 4))
    return "".join(f"{int.from_bytes(word, sys.byteorder):08X}" for word in words)
