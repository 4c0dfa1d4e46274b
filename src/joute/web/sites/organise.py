"""The organiser's pages: contests that take registrations, and those named at the start.

The organiser opens a contest, invites participants, and has it played; a contest that was named
when the server was started can be played, paused and stopped as well.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from starlette.responses import RedirectResponse, Response

from joute.i18n.words import say
from joute.web.contests.control import ContestControl
from joute.web.contests.named import NamedContest, NamedContests
from joute.web.errors import RequestRefusal
from joute.web.games import games_listed, title
from joute.web.organiser import need_organiser
from joute.web.pages import page
from joute.web.registration.contest_files import moment, opened, participant_name
from joute.web.registration.store import Participant, Registration, utc
from joute.web.sites.submit import link_of, service_of

router = APIRouter(
    prefix="/organise", include_in_schema=False, dependencies=[Depends(need_organiser)]
)

EXAMPLE = Path(__file__).parent.parent / "registration" / "example.toml"

C = TypeVar("C")
Text = Annotated[str, Form()]
Flag = Annotated[bool, Form()]
Done = Callable[[Request, str, Callable[[C], Any]], Response]
"""Does something with the contest of an identifier; the answer is its page, or leads there."""


def _add_control(
    address: str, control: Callable[[Request], ContestControl[C]], done: Done[C]
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


def _shown(control: ContestControl[C], contest: C, problem: str) -> dict[str, Any]:
    """The values of a page that are the same for contests of both kinds."""
    return {
        "stage": control.stage(contest),
        "output": control.output(contest),
        "results": control.address(contest),
        "released": control.released(contest),
        "seal": control.sealed(contest),
        "problem": problem,
    }


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
    shown = _shown(_named_contests(request), named, problem)
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


_add_control("/named", _named_contests, _named_done)


# Contests that take registrations.


def _registration(request: Request, identifier: str) -> Registration:
    found = service_of(request).store.find(identifier)
    if found is None:
        raise HTTPException(404, say("web.error.no_contest", name=identifier[:40]))
    return found


def _participant(registration: Registration, member: str) -> Participant:
    found = registration.find(member)
    if found is None:
        raise HTTPException(404, say("submit.error.participant"))
    return found


def _list(request: Request, given: dict[str, str], problem: str = "") -> Response:
    store = service_of(request).store
    rows = [(each, each.open_at(store.now()), len(each.entries)) for each in store]
    game = next(iter(games_listed()), "")
    example = EXAMPLE.read_text(encoding="utf-8").format(game=game, title=title(game))
    values = {"toml": example, "deadline": "", "zone": "", **given}
    contests = _named_contests(request)
    return page(
        request,
        "organise.html",
        422 if problem else 200,
        registrations=rows,
        named=[(each, contests.stage(each)) for each in contests],
        problem=problem,
        **values,
    )


def _page(request: Request, registration: Registration, problem: str = "") -> Response:
    service = service_of(request)
    local: datetime = registration.local_deadline
    return page(
        request,
        "organise-one.html",
        422 if problem else 200,
        registration=registration,
        open=registration.open_at(service.store.now()),
        deadline=local.strftime("%Y-%m-%dT%H:%M"),
        links={
            each.identity: link_of(request, registration, each)
            for each in registration.participants
        },
        **_shown(service.control, registration, problem),
    )


def _done(request: Request, identifier: str, work: Callable[[Registration], Any]) -> Response:
    registration = _registration(request, identifier)
    try:
        work(registration)
    except RequestRefusal as refusal:
        return _page(request, registration, str(refusal))
    return RedirectResponse(f"/organise/{identifier}", 303)


@router.get("")
def contests(request: Request) -> Response:
    """The contests that take registrations, and a form to open another."""
    return _list(request, {})


@router.post("")
def begin(request: Request, toml: Text = "", deadline: Text = "", zone: Text = "") -> Response:
    """Opens a contest."""
    try:
        registration = opened(service_of(request).store, toml, deadline, zone)
    except RequestRefusal as refusal:
        given = {"toml": toml, "deadline": deadline, "zone": zone}
        return _list(request, given, str(refusal))
    return RedirectResponse(f"/organise/{registration.identity}", 303)


@router.get("/{identifier}")
def registration_page(request: Request, identifier: str) -> Response:
    """A contest that takes registrations, or took them: participants, the run."""
    return _page(request, _registration(request, identifier))


@router.post("/{identifier}/participants")
def invite(request: Request, identifier: str, name: Text = "") -> Response:
    """Adds a participant."""
    store = service_of(request).store

    def work(registration: Registration) -> None:
        store.invite(registration, participant_name(registration, name))

    return _done(request, identifier, work)


@router.post("/{identifier}/participants/{member}/name")
def rename(request: Request, identifier: str, member: str, name: Text = "") -> Response:
    """Renames a participant; results with the former name are deleted."""
    service = service_of(request)

    def work(registration: Registration) -> None:
        participant = _participant(registration, member)
        found = participant_name(registration, name)
        service.control.forget(registration)
        with service.store.changing(registration):
            participant.name, participant.renamed = found, True

    return _done(request, identifier, work)


@router.post("/{identifier}/participants/{member}/link")
def renew(request: Request, identifier: str, member: str) -> Response:
    """Replaces a participant's link, which is no longer valid, by another."""
    store = service_of(request).store
    return _done(request, identifier, lambda each: store.renew(each, _participant(each, member)))


@router.post("/{identifier}/participants/{member}/remove")
def remove(request: Request, identifier: str, member: str) -> Response:
    """Removes a participant with all bots, and the results with their games."""
    service = service_of(request)

    def work(registration: Registration) -> None:
        participant = _participant(registration, member)
        service.control.forget(registration)
        service.store.remove(registration, participant)

    return _done(request, identifier, work)


@router.post("/{identifier}/deadline")
def postpone(request: Request, identifier: str, deadline: Text = "", zone: Text = "") -> Response:
    """Sets another deadline."""

    def work(registration: Registration) -> None:
        until = moment(deadline, zone)
        with service_of(request).store.changing(registration):
            registration.deadline, registration.zone = utc(until), zone

    return _done(request, identifier, work)


@router.post("/{identifier}/closed")
def shut(request: Request, identifier: str, closed: Flag = True) -> Response:
    """Closes registration before the deadline, or opens it again."""

    def work(registration: Registration) -> None:
        with service_of(request).store.changing(registration):
            registration.closed = closed

    return _done(request, identifier, work)


@router.post("/{identifier}/publish")
def publish(request: Request, identifier: str) -> Response:
    """Shows the results to everybody."""
    return _done(request, identifier, service_of(request).control.publish)


_add_control("", lambda request: service_of(request).control, _done)
