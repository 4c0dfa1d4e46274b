"""The checks of every request, and the headers of every answer.

A request must be for a name under which this server is known (else a page elsewhere could reach it
through a name of its own), must come from our own pages if it changes something, and is bounded in
size. Its language holds until it is answered. The headers forbid the browser all that our pages do
not need.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from html import escape
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from joute.i18n.words import LANGUAGES, language, say, speaking
from joute.web.security import SAFE_METHODS

LANGUAGE = "joute_language"  # cookie, not signed: one of LANGUAGES
LARGEST_BODY = 16 * 1024 * 1024  # bytes
LARGEST_PLAIN = 2 * 1024 * 1024  # of what is no form with files
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors {frames}"
)
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
EMBEDDED = "/embed/"  # pages that others may show within theirs

_log = logging.getLogger("joute.web")


class Guard:
    """Wraps the application."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        with speaking(language_of(HTTPConnection(scope))):
            refusal = self._refusal(scope)
            if scope["type"] == "websocket":
                if refusal is None:
                    await self._app(scope, receive, send)
                else:
                    await send({"type": "websocket.close", "code": 1008, "reason": refusal[1]})
                return
            answer = _Answer(scope, send)
            if refusal is None:
                await self._answered(scope, receive, answer)
            else:
                await _said(scope, *refusal)(scope, receive, answer)

    async def _answered(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        if scope["method"] == "HEAD":  # the server leaves the body out by itself
            scope = {**scope, "method": "GET"}
        try:
            await self._app(scope, _Bounded(receive, _largest(scope)), answer)
        except ClientDisconnect:  # nobody is there to be answered
            return
        except _TooLarge:
            size = _largest(scope) // 2**20
            response = _said(scope, 413, say("web.error.too_large", size=size))
            await response(scope, receive, answer)
        except Exception:
            if answer.started:
                raise
            _log.exception("%s %s", scope["method"], scope["path"])
            await _said(scope, 500, say("web.error.fault"))(scope, receive, answer)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Status and sentence if the request is not to be answered."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if name_of(host) not in self._hosts:
            return 400, say("web.error.host", host=host)
        changes = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
        origin = headers.get("origin")
        if changes and origin is not None and _site_of(origin) != host:
            return 403, say("web.error.origin", origin=origin)
        length = headers.get("content-length", "0")
        largest = _largest(scope)
        plain = length.isascii() and length.isdigit() and len(length) < 20
        if not plain or int(length) > largest:
            return 413, say("web.error.too_large", size=largest // 2**20)
        return None


def _site_of(origin: str) -> str:
    """The host of an Origin header, with its port; "" of one that is no address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def name_of(host: str) -> str:
    """The name in a Host header, without its port and in small letters."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host).lower()


def language_of(connection: HTTPConnection) -> str:
    """The language to answer in: the chosen one, else the first understood that is ours."""
    chosen = connection.cookies.get(LANGUAGE)
    if chosen in LANGUAGES:
        return chosen
    ranked = []
    for rank, part in enumerate(connection.headers.get("accept-language", "").split(",")):
        name, _, weight = part.replace(" ", "").partition(";q=")
        try:
            ranked.append((-float(weight or 1), rank, name.split("-")[0].lower()))
        except ValueError:
            continue
    return next((name for _, _, name in sorted(ranked) if name in LANGUAGES), LANGUAGES[0])


def _said(scope: Scope, status: int, sentence: str) -> Response:
    if scope["path"].startswith("/api"):
        return JSONResponse({"error": sentence}, status)
    if "text/html" not in Headers(scope=scope).get("accept", ""):
        return PlainTextResponse(sentence, status)
    # Nothing of the request was looked at, so the page stands alone.
    home = f'<p><a href="/">{escape(say("web.error.home"))}</a></p>'
    head = f'<!doctype html><html lang="{language()}"><meta charset="utf-8"><title>Joute</title>'
    return HTMLResponse(f"{head}<p>{escape(sentence)}</p>{home}", status)


def _largest(scope: Scope) -> int:
    """The greatest size of a request's body, in bytes: only files are large."""
    kind = Headers(scope=scope).get("content-type", "")
    files = kind.lower().startswith("multipart/form-data")
    return LARGEST_BODY if files else min(LARGEST_PLAIN, LARGEST_BODY)


class _TooLarge(Exception):
    """A request's body is too large."""


class _Bounded:
    """The body of a request, up to a limit."""

    def __init__(self, receive: Receive, largest: int) -> None:
        self._receive = receive
        self._left = largest

    async def __call__(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise _TooLarge
        return message


class _Answer:
    """The answer, with the headers that every answer has."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._send = send
        self._path: str = scope["path"]
        self.started = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            frames = "*" if self._path.startswith(EMBEDDED) else "'none'"
            headers.setdefault("Content-Security-Policy", POLICY.format(frames=frames))
            headers.setdefault("Cache-Control", "no-store")
        await self._send(message)
