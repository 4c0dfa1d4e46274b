"""Signed cookies, and the tokens of forms.

Scripts cannot read the cookies; a form carries a token that only this server can have made for this
browser. `middleware.py` checks each request before.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import HTTPException
from itsdangerous import BadSignature, URLSafeSerializer, URLSafeTimedSerializer
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from joute.i18n.words import say
from joute.web.settings import Settings

VISITOR = "joute_visitor"  # cookie: who this browser is, for its forms
YEAR = 365 * 24 * 3600  # seconds
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


def settings_of(connection: HTTPConnection) -> Settings:
    """The settings of the application that received this."""
    settings: Settings = connection.app.state.settings
    return settings


# Cookies


def signed(connection: HTTPConnection, purpose: str, value: Any) -> str:
    """Plain data as a signed text, which `unsigned` reads."""
    return str(_signer(connection, purpose).dumps(value))


def unsigned(connection: HTTPConnection, purpose: str, text: str, seconds: int = YEAR) -> Any:
    """The value that was signed for that purpose at most so long ago; None for anything else.

    Also one that was signed later than now, before the clock of this machine was set back: people
    keep their seats at tables.
    """
    try:
        value, since = _signer(connection, purpose).loads(text, return_timestamp=True)
    except BadSignature:
        return None
    return value if datetime.now(UTC) - since <= timedelta(seconds=seconds) else None


def sealed(connection: HTTPConnection, purpose: str, value: Any) -> str:
    """Plain data as a signed text that is the same whenever it is made, and is good for ever."""
    return str(_sealer(connection, purpose).dumps(value))


def unsealed(connection: HTTPConnection, purpose: str, text: str) -> Any:
    """The value that was sealed for that purpose; None for anything else."""
    try:
        return _sealer(connection, purpose).loads(text)
    except BadSignature:
        return None


def _sealer(connection: HTTPConnection, purpose: str) -> URLSafeSerializer:
    return URLSafeSerializer(settings_of(connection).secret, salt=purpose)


def _signer(connection: HTTPConnection, purpose: str) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(settings_of(connection).secret, salt=purpose)


def set_cookie(
    connection: HTTPConnection, response: Response, name: str, value: Any, seconds: int = YEAR
) -> None:
    """Stores a signed value in the browser, which its scripts cannot read."""
    response.set_cookie(
        name,
        signed(connection, name, value),
        max_age=seconds,
        httponly=True,
        samesite="lax",
        secure=settings_of(connection).https,
    )


def cookie(connection: HTTPConnection, name: str, seconds: int = YEAR) -> Any:
    """The value that `set_cookie` stored in this browser; None without one."""
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
    """Gives a new browser the cookie with its name."""
    if getattr(request.state, "visitor_is_new", False):
        set_cookie(request, response, VISITOR, request.state.visitor)


def form_token(connection: HTTPConnection) -> str:
    """The token for forms of this browser: the hidden field `token`, or X-Joute-Token.

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
