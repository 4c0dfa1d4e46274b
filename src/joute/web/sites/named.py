"""The organiser plays, pauses and stops the contests that were named at the start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from starlette.responses import RedirectResponse, Response

from joute.i18n.words import say
from joute.web.contests.named import Named, NamedContests
from joute.web.entries.refused import Refused
from joute.web.render import page
from joute.web.security import need_organiser
from joute.web.sites.organise import Sure, Text, need

router = APIRouter(
    prefix="/organise/named", include_in_schema=False, dependencies=[Depends(need_organiser)]
)


def _contests(request: Request) -> NamedContests:
    contests: NamedContests = request.app.state.named
    return contests


def _named(request: Request, identifier: str) -> Named:
    found = _contests(request).find(identifier)
    if found is None:
        raise HTTPException(404, say("web.error.no_contest", name=identifier[:40]))
    return found


@router.get("/{identifier}")
def show(request: Request, identifier: str) -> Response:
    """Where a contest stands, and what can be done about it."""
    return _page(request, _named(request, identifier))


@router.post("/{identifier}/run")
def run(request: Request, identifier: str) -> Response:
    """Plays what remains."""
    return _done(request, identifier, _contests(request).start)


@router.post("/{identifier}/seal")
def seal(request: Request, identifier: str) -> Response:
    """Seals it."""
    return _done(request, identifier, _contests(request).seal)


@router.post("/{identifier}/draw")
def draw(request: Request, identifier: str, value: Text = "") -> Response:
    """Gives it its public value."""
    return _done(request, identifier, lambda named: _contests(request).draw(named, value))


@router.post("/{identifier}/pause")
def pause(request: Request, identifier: str) -> Response:
    """Stops after the games that are being played."""
    return _done(request, identifier, _contests(request).pause)


@router.post("/{identifier}/stop")
def stop(request: Request, identifier: str, sure: Sure = False) -> Response:
    """Ends it where it stands."""

    def work(named: Named) -> None:
        need(sure)
        _contests(request).stop(named)

    return _done(request, identifier, work)


@router.post("/{identifier}/messages")
def release(
    request: Request, identifier: str, messages: Annotated[bool, Form()] = False
) -> Response:
    """Whether everybody may read what the bots say."""
    return _done(request, identifier, lambda named: _contests(request).release(named, messages))


def _done(request: Request, identifier: str, work: Callable[[Named], Any]) -> Response:
    """Back to the page once it is done, or with the reason why it is not."""
    named = _named(request, identifier)
    try:
        work(named)
    except Refused as refused:
        return _page(request, named, str(refused))
    return RedirectResponse(f"/organise/named/{identifier}", 303)


def _page(request: Request, named: Named, problem: str = "") -> Response:
    contests = _contests(request)
    return page(
        request,
        "organise-named.html",
        422 if problem else 200,
        named=named,
        stage=contests.stage(named),
        told=contests.told(named),
        results=contests.address(named),
        released=contests.released(named),
        seal=contests.sealed(named),
        problem=problem,
    )
