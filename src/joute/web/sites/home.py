"""The home page, static files, the switch of languages, and the organiser's login."""

from __future__ import annotations

import mimetypes
from pathlib import PurePosixPath
from threading import Semaphore
from typing import Annotated

from fastapi import APIRouter, FastAPI, Form, HTTPException, Query, Request
from starlette.responses import RedirectResponse, Response

from joute.i18n.words import LANGUAGES, say
from joute.web.assets import StaticFiles
from joute.web.games import games_listed
from joute.web.middleware import LANGUAGE
from joute.web.organiser import Logins, is_organiser, log_in, log_out, password_is_right
from joute.web.pages import local, page, script_words
from joute.web.rate_limits import address_of, limits_of, too_often
from joute.web.security import YEAR, settings_of
from joute.web.sites.contest import overviews
from joute.web.sites.tasks import open_shown

router = APIRouter(include_in_schema=False)

LONGEST_PASSWORD = 1000  # characters
LONGEST_ADDRESS = 2000  # characters
FOREVER = "public, max-age=31536000, immutable"  # a year
_CHECKED = Semaphore(2)  # passwords that are checked at once: each takes 64 MiB
_TYPES = {".js": "text/javascript", ".svg": "image/svg+xml"}

Address = Annotated[str, Query(max_length=LONGEST_ADDRESS)]


@router.get("/")
def home(request: Request) -> Response:
    """The games, and the contests."""
    return page(
        request,
        "home.html",
        games=games_listed(),
        contests=overviews(request),
        **open_shown(request),
    )


@router.get("/static/{version}/{path:path}")
def static(request: Request, version: str, path: str) -> Response:
    """A static file. Only the present version may be kept by the browser."""
    files: StaticFiles = request.app.state.static
    current = version == files.version
    content = files.content(path)
    if content is None:
        raise HTTPException(404, say("web.error.no_page", path=request.url.path))
    suffix = PurePosixPath(path).suffix
    kind = _TYPES.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    headers = {"Cache-Control": FOREVER if current else "no-cache"}
    return Response(content, media_type=kind, headers=headers)


def prepare(app: FastAPI) -> None:
    """Opens the stored logins."""
    app.state.logins = Logins(app.state.settings.data)


@router.get("/login")
def login_form(request: Request, back: Address = "/") -> Response:
    """The form for the password."""
    if is_organiser(request):
        return RedirectResponse(local(back), 303)
    return page(request, "login.html", back=local(back), wrong=False)


@router.post("/login")
def login(
    request: Request,
    password: Annotated[str, Form(max_length=LONGEST_PASSWORD)] = "",
    back: Annotated[str, Form(max_length=LONGEST_ADDRESS)] = "/",
) -> Response:
    """Logs the organiser in."""
    hashed = settings_of(request).password
    if hashed is None:
        return RedirectResponse(local(back), 303)
    limits_of(request).take_alone(address_of(request), "passwords")
    if not _CHECKED.acquire(timeout=1.0):
        raise too_often(1.0)
    try:
        right = password_is_right(password, hashed)
    finally:
        _CHECKED.release()
    if not right:
        return page(request, "login.html", 403, back=local(back), wrong=True)
    response = RedirectResponse(local(back), 303)
    log_in(request, response)
    return response


@router.post("/logout")
def logout(request: Request) -> Response:
    """Logs the organiser out."""
    response = RedirectResponse("/", 303)
    log_out(request, response)
    return response


@router.get("/words/{name}.js")
def words(name: str, v: str = "") -> Response:
    """The sentences of a language, for `words.js`."""
    if name not in LANGUAGES:
        raise HTTPException(404, say("web.error.no_page", path=f"/words/{name}.js"))
    headers = {"Cache-Control": FOREVER if v else "no-cache"}
    return Response(script_words(name), media_type="text/javascript", headers=headers)


@router.get("/language/{name}")
def switch(request: Request, name: str, back: str = "/") -> Response:
    """Sets the language in which the browser is answered."""
    if name not in LANGUAGES:
        raise HTTPException(404, say("web.error.no_page", path=f"/language/{name}"))
    response = RedirectResponse(local(back), 303)
    response.set_cookie(
        LANGUAGE,
        name,
        max_age=YEAR,
        httponly=True,
        samesite="lax",
        secure=settings_of(request).https,
    )
    return response
