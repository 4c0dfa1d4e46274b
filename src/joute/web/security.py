"""What keeps the web application from being turned against its users.

Cookies are signed and cannot be read by scripts; a form carries a token that only this server can
have made for this browser; a password is asked at a bounded pace. `guard.py` looks at each request
before all this.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Any

from fastapi import HTTPException
from itsdangerous import BadSignature, URLSafeTimedSerializer
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from joute.i18n.words import say
from joute.web.peer import is_ours
from joute.web.sessions import LOGIN_SECONDS, Sessions
from joute.web.settings import Settings

VISITOR = "joute_visitor"  # cookie: who this browser is, for its forms
ORGANISER = "joute_organiser"  # cookie: its user knew the password
YEAR = 365 * 24 * 3600  # seconds
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


def settings_of(connection: HTTPConnection) -> Settings:
    """The settings of the application that received this."""
    settings: Settings = connection.app.state.settings
    return settings


# Cookies


def signed(connection: HTTPConnection, purpose: str, value: Any) -> str:
    """A value (plain data) that comes back unchanged or not at all."""
    return str(_signer(connection, purpose).dumps(value))


def unsigned(connection: HTTPConnection, purpose: str, text: str, seconds: int = YEAR) -> Any:
    """What was signed for that purpose at most so long ago; None for anything else."""
    try:
        return _signer(connection, purpose).loads(text, max_age=seconds)
    except BadSignature:
        return None


def _signer(connection: HTTPConnection, purpose: str) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(settings_of(connection).secret, salt=purpose)


def set_cookie(
    connection: HTTPConnection, response: Response, name: str, value: Any, seconds: int = YEAR
) -> None:
    """The browser keeps a signed value under that name, out of its scripts' reach."""
    response.set_cookie(
        name,
        signed(connection, name, value),
        max_age=seconds,
        httponly=True,
        samesite="lax",
        secure=settings_of(connection).https,
    )


def cookie(connection: HTTPConnection, name: str, seconds: int = YEAR) -> Any:
    """What `set_cookie` kept in this browser; None without it."""
    text = connection.cookies.get(name)
    return None if text is None else unsigned(connection, name, text, seconds)


# Forms


def visitor(connection: HTTPConnection) -> str:
    """The name that this browser has for the server; drawn when it first comes.

    The answer to the request sets its cookie (see `keep_visitor`).
    """
    name = getattr(connection.state, "visitor", None) or known_visitor(connection)
    if not name:
        name = secrets.token_urlsafe(16)
        connection.state.visitor_is_new = True
    connection.state.visitor = name
    return name


def known_visitor(connection: HTTPConnection) -> str:
    """The name of a browser that has been here before; "" of any other."""
    name = cookie(connection, VISITOR)
    return name if isinstance(name, str) else ""


def keep_visitor(request: Request, response: Response) -> None:
    """The answer tells a new browser its name."""
    if getattr(request.state, "visitor_is_new", False):
        set_cookie(request, response, VISITOR, request.state.visitor)


def form_token(connection: HTTPConnection) -> str:
    """What a form of this browser must carry: the hidden field `token`, or X-Joute-Token.

    Another at each request: pages are compressed, and the size of a page that held the same token
    beside words out of its address would tell a listener one letter after the other (BREACH).
    """
    return _token(connection, secrets.token_hex(8))


def _token(connection: HTTPConnection, salt: str) -> str:
    """The token of that salt, which is its beginning."""
    told = f"form {salt} {visitor(connection)}".encode()
    return f"{salt}.{hmac.new(settings_of(connection).secret, told, hashlib.sha256).hexdigest()}"


async def checked_form(request: HTTPConnection) -> None:
    """Refuses (403) what changes something and does not carry the token of its browser."""
    if not isinstance(request, Request) or request.method in SAFE_METHODS:
        return
    token = request.headers.get("x-joute-token")
    kind = request.headers.get("content-type", "")
    if token is None and kind.startswith(
        ("multipart/form-data", "application/x-www-form-urlencoded")
    ):
        token = str((await request.form()).get("token", ""))
    salt = (token or "").partition(".")[0]
    if not hmac.compare_digest((token or "").encode(), _token(request, salt).encode()):
        raise HTTPException(403, say("web.error.token"))


# The organiser


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
    return right and sessions_of(connection).knows(secret)


def need_organiser(connection: HTTPConnection) -> None:
    """Refuses (403) whoever is not the organiser."""
    if not is_organiser(connection):
        guarded = settings_of(connection).password is not None
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
    """This browser is the organiser's from now on, until the password changes or time is up."""
    password = settings_of(request).password or ""
    known = [_mark_of(password), sessions_of(request).open()]
    set_cookie(request, response, ORGANISER, known, LOGIN_SECONDS)
    request.state.organiser = True


def log_out(request: Request, response: Response) -> None:
    """This browser is the organiser's no more, nor is who has a copy of its cookie."""
    known = cookie(request, ORGANISER, LOGIN_SECONDS)
    if isinstance(known, list) and len(known) == 2 and isinstance(known[1], str):
        sessions_of(request).close(known[1])
    response.delete_cookie(ORGANISER)


def sessions_of(connection: HTTPConnection) -> Sessions:
    """The logins of the application that received this."""
    sessions: Sessions = connection.app.state.sessions
    return sessions


def _mark_of(password: str) -> str:
    """What the organiser's cookie holds: another password makes it worthless."""
    return hashlib.sha256(password.encode()).hexdigest()[:32]
