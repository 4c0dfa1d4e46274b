"""Refusals, and the answers to errors: a page for people, JSON for programs."""

from __future__ import annotations

import logging

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException as AnyHTTPException
from starlette.responses import JSONResponse, RedirectResponse, Response

from joute.contest.errors import ConfigError
from joute.i18n.recognised import foreign, recognised
from joute.i18n.words import say
from joute.machine import DISK, READ_ONLY, shortage
from joute.store.model import StoreError
from joute.web.pages import page
from joute.web.settings import GoneFolderError

_log = logging.getLogger("joute.web")


class RequestRefusal(Exception):
    """The reason why something cannot be done, a sentence in the language of the request."""


def add_handlers(app: FastAPI) -> None:
    """Has an application answer errors in words."""
    app.add_exception_handler(AnyHTTPException, _http_error)  # type: ignore[arg-type]
    app.add_exception_handler(RequestValidationError, _wrong_value)  # type: ignore[arg-type]
    app.add_exception_handler(RequestRefusal, _refused)
    app.add_exception_handler(OSError, _not_stored)
    for error in (StoreError, ConfigError):
        app.add_exception_handler(error, _unreadable_contest)


async def _http_error(request: Request, error: HTTPException) -> Response:
    unknown = error.status_code == 404 and error.detail == "Not Found"
    nowhere = say("web.error.no_page", path=request.url.path)
    sentence = nowhere if unknown else str(recognised(error.detail))
    json = "application/json" in request.headers.get("accept", "")
    for_program = json or request.url.path.startswith("/api/")
    if error.status_code == 405 and request.method == "GET" and not for_program:
        # An address of a form alone, which stays in the browser's bar where a form is refused.
        return RedirectResponse(request.url.path.rpartition("/")[0] or "/", 303)
    if for_program:
        return JSONResponse({"error": sentence}, error.status_code, error.headers)
    title = "web.error.not_found" if error.status_code == 404 else "web.error.title"
    response = page(request, "error.html", error.status_code, sentence=sentence, title=title)
    response.headers.update(error.headers or {})
    return response


_UPLOAD = ("body", "file")  # the field of a form in which a bot is handed in


async def _wrong_value(request: Request, error: RequestValidationError) -> Response:
    """The answer to a request with a wrong value: which one, and why."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    if first["loc"] == _UPLOAD:
        sentence = say("web.error.no_file")
    else:
        sentence = say("web.error.value", place=place, reason=foreign(first["msg"]))
    return await _http_error(request, HTTPException(422, sentence))


async def _refused(request: Request, error: Exception) -> Response:
    return await _http_error(request, HTTPException(422, str(error)))


async def _unreadable_contest(request: Request, error: Exception) -> Response:
    return await _http_error(request, HTTPException(503, say("web.error.contest", reason=error)))


async def _not_stored(request: Request, error: Exception) -> Response:
    """The answer to a request for which nothing can be stored; other errors are a mistake."""
    store = getattr(request.app.state, "registration", None)
    gone = isinstance(error, GoneFolderError) or (
        isinstance(error, FileNotFoundError) and store and not store.store.folder.is_dir()
    )
    if request.scope["type"] != "http" or not (gone or shortage(error) in (DISK, READ_ONLY)):
        raise error
    _log.error("%s %s: %s", request.method, request.url.path, error)
    sentence = say("web.error.gone" if gone else "web.error.full")
    return await _http_error(request, HTTPException(503 if gone else 507, sentence))
