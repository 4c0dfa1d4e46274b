"""The organiser's pages: the list of contests, and those that were named at the start.

A contest that was named when the server was started can be played, paused and stopped, as one that
takes registrations can.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from starlette.responses import RedirectResponse, Response

from joute.i18n.figures import duration
from joute.i18n.words import say
from joute.store.store import StoreError
from joute.web.contests.control import ContestControl
from joute.web.contests.named import NamedContest, NamedContests
from joute.web.errors import RequestRefusal
from joute.web.organiser import need_organiser
from joute.web.pages import page
from joute.web.registration.store import Registration
from joute.web.sites.submit import service_of

router = APIRouter(
    prefix="/organise", include_in_schema=False, dependencies=[Depends(need_organiser)]
)

C = TypeVar("C")
Text = Annotated[str, Form()]
Flag = Annotated[bool, Form()]
Done = Callable[[Request, str, Callable[[C], Any]], Response]
"""Does something with the contest of an identifier; the answer is its page, or leads there."""


def add_control(
    router: APIRouter, address: str, control: Callable[[Request], ContestControl[C]], done: Done[C]
) -> None:
    """Adds the addresses by which contests of one kind are played, sealed and stopped."""

    def run(request: Request, identifier: str) -> Response:
        return done(request, identifier, control(request).start)

    def seal(request: Request, identifier: str) -> Response:
        return done(request, identifier, control(request).seal)

    def draw(request: Request, identifier: str, value: Text = "") -> Response:
        return done(request, identifier, lambda contest: control(request).draw(contest, value))

    def pause(request: Request, identifier: str) -> Response:
        return done(request, identifier, control(request).pause)

    def stop(request: Request, identifier: str, sure: Flag = False) -> Response:
        def work(contest: C) -> None:
            if not sure:
                raise RequestRefusal(say("organise.stop.unsure"))
            control(request).stop(contest)

        return done(request, identifier, work)

    def messages(request: Request, identifier: str, messages: Flag = False) -> Response:
        return done(request, identifier, lambda each: control(request).release(each, messages))

    for action in (run, seal, draw, pause, stop, messages):
        path = f"{address}/{{identifier}}/{action.__name__}"
        router.add_api_route(path, action, methods=["POST"])


def run_shown(control: ContestControl[C], contest: C, problem: str) -> dict[str, Any]:
    """The values of a page that are the same for contests of both kinds."""
    return {
        "stage": control.stage(contest),
        "output": control.output(contest),
        "changes": control.changes(contest),
        **_progress(control, contest),
        "results": control.address(contest),
        "released": control.released(contest),
        "seal": control.sealed(contest),
        "problem": problem,
    }


def _progress(control: ContestControl[C], contest: C) -> dict[str, Any]:
    """The games that were played, those that are left, and the time that they take."""
    served = control.served(contest)
    try:
        snapshot = served.snapshot() if served is not None else None
    except (StoreError, OSError, ValueError):  # its own page says what is wrong
        snapshot = None
    if snapshot is None:
        return {"done": 0, "left": 0, "time_left": ""}
    report = snapshot.report
    time_left = duration(snapshot.seconds_left)
    return {"done": report.done, "left": report.left, "time_left": time_left}


# Contests that were named at the start.


def _named_contests(request: Request) -> NamedContests:
    contests: NamedContests = request.app.state.named
    return contests


def _named(request: Request, identifier: str) -> NamedContest:
    found = _named_contests(request).find(identifier)
    if found is None:
        raise HTTPException(404, say("web.error.no_contest", name=identifier[:40]))
    return found


def _named_page(request: Request, named: NamedContest, problem: str = "") -> Response:
    shown = run_shown(_named_contests(request), named, problem)
    status = 422 if problem else 200
    return page(request, "organise-named.html", status, named=named, **shown)


def _named_done(request: Request, identifier: str, work: Callable[[NamedContest], Any]) -> Response:
    named = _named(request, identifier)
    try:
        work(named)
    except RequestRefusal as refusal:
        return _named_page(request, named, str(refusal))
    return RedirectResponse(f"/organise/named/{identifier}", 303)


@router.get("/named/{identifier}")
def named_contest(request: Request, identifier: str) -> Response:
    """The stage of a contest, and what can be done with it."""
    return _named_page(request, _named(request, identifier))


add_control(router, "/named", _named_contests, _named_done)


# The list of all.


@router.get("")
def contests(request: Request) -> Response:
    """The contests that take registrations, and those of this machine."""
    store = service_of(request).store
    now = store.now()
    rows = [(each, _state(each, now), len(each.entries)) for each in store]
    contests = _named_contests(request)
    named = [(each, contests.stage(each)) for each in contests]
    return page(request, "organise.html", registrations=rows, named=named, damaged=store.damaged)


def _state(registration: Registration, now: datetime) -> str:
    """Whether a contest takes bots: "open", "soon" or "closed"."""
    if registration.open_at(now):
        return "open"
    return "soon" if registration.awaited_at(now) else "closed"
