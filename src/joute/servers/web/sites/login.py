"""The organiser logs in and out."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, FastAPI, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from joute.servers.web.render import page
from joute.servers.web.security import (
    ORGANISER,
    Limiter,
    is_organiser,
    log_in,
    password_is_right,
    settings_of,
)
from joute.servers.web.sites.words import local

router = APIRouter(include_in_schema=False)

TRIES, SECONDS = 5, 60.0  # from one address
LONGEST_PASSWORD = 1000  # characters
LONGEST_ADDRESS = 2000

Address = Annotated[str, Query(max_length=LONGEST_ADDRESS)]


def prepare(app: FastAPI) -> None:
    """Counts tries from now on."""
    app.state.log_ins = Limiter(TRIES, SECONDS)


@router.get("/login")
def form(request: Request, back: Address = "/") -> Response:
    """Asks for the password."""
    if is_organiser(request):
        return RedirectResponse(local(back), 303)
    return page(request, "login.html", back=local(back), wrong=False)


@router.post("/login")
def enter(
    request: Request,
    password: Annotated[str, Form(max_length=LONGEST_PASSWORD)] = "",
    back: Annotated[str, Form(max_length=LONGEST_ADDRESS)] = "/",
) -> Response:
    """Lets the organiser in."""
    hashed = settings_of(request).password
    if hashed is None:
        return RedirectResponse(local(back), 303)
    limiter: Limiter = request.app.state.log_ins
    limiter.check(request)
    if not password_is_right(password, hashed):
        return page(request, "login.html", 403, back=local(back), wrong=True)
    response = RedirectResponse(local(back), 303)
    log_in(request, response)
    return response


@router.post("/logout")
def leave(request: Request) -> Response:
    """Forgets that this browser is the organiser's."""
    response = RedirectResponse("/", 303)
    response.delete_cookie(ORGANISER)
    return response
