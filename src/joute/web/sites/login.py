"""The organiser logs in and out."""

from __future__ import annotations

from threading import Semaphore
from typing import Annotated

from fastapi import APIRouter, FastAPI, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from joute.web.limits import address_of, limits_of, too_often
from joute.web.render import page
from joute.web.security import is_organiser, log_in, log_out, password_is_right, settings_of
from joute.web.sessions import Sessions
from joute.web.sites.words import local

router = APIRouter(include_in_schema=False)

_CHECKED = Semaphore(2)  # passwords that are checked at once: each takes 64 MiB
LONGEST_PASSWORD = 1000  # characters
LONGEST_ADDRESS = 2000

Address = Annotated[str, Query(max_length=LONGEST_ADDRESS)]


def prepare(app: FastAPI) -> None:
    """Opens the logins that are kept."""
    app.state.sessions = Sessions(app.state.settings.data)


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
def leave(request: Request) -> Response:
    """Forgets that this browser is the organiser's."""
    response = RedirectResponse("/", 303)
    log_out(request, response)
    return response
