"""The organiser opens a contest for bots, invites participants, and has it played."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from starlette.responses import RedirectResponse, Response

from joute.i18n.words import say
from joute.web.contests.named import NamedContests
from joute.web.entries.kept import Call, Participant, utc
from joute.web.entries.opening import moment, opened, participant_name
from joute.web.entries.refused import Refused
from joute.web.games import games_listed, title
from joute.web.render import page
from joute.web.security import need_organiser
from joute.web.sites.submit import counter_of, link_of

router = APIRouter(
    prefix="/organise", include_in_schema=False, dependencies=[Depends(need_organiser)]
)

EXAMPLE = Path(__file__).parent.parent / "entries" / "example.toml"

Text = Annotated[str, Form()]
Sure = Annotated[bool, Form()]


@router.get("")
def calls(request: Request) -> Response:
    """The contests that are open for bots, and a form to open another."""
    return _calls(request, {})


@router.post("")
def begin(request: Request, toml: Text = "", deadline: Text = "", zone: Text = "") -> Response:
    """Opens a contest."""
    try:
        call = opened(counter_of(request).desk, toml, deadline, zone)
    except Refused as refused:
        given = {"toml": toml, "deadline": deadline, "zone": zone}
        return _calls(request, given, str(refused))
    return RedirectResponse(f"/organise/{call.identity}", 303)


@router.get("/{identity}")
def call_page(request: Request, identity: str) -> Response:
    """A contest that is or was open: participants, the run."""
    return _page(request, _call(request, identity))


@router.post("/{identity}/participants")
def invite(request: Request, identity: str, name: Text = "") -> Response:
    """Adds a participant."""
    desk = counter_of(request).desk

    def work(call: Call) -> None:
        desk.invite(call, participant_name(call, name))

    return _done(request, identity, work)


@router.post("/{identity}/participants/{member}/name")
def rename(request: Request, identity: str, member: str, name: Text = "") -> Response:
    """Gives a participant another name; results that have the one before are removed."""
    counter = counter_of(request)

    def work(call: Call) -> None:
        participant = _participant(call, member)
        found = participant_name(call, name)
        counter.runs.forget(call)
        with counter.desk.changing(call):
            participant.name, participant.renamed = found, True

    return _done(request, identity, work)


@router.post("/{identity}/participants/{member}/link")
def renew(request: Request, identity: str, member: str) -> Response:
    """Makes a participant's link worthless, and gives another."""
    desk = counter_of(request).desk
    return _done(request, identity, lambda call: desk.renew(call, _participant(call, member)))


@router.post("/{identity}/participants/{member}/remove")
def remove(request: Request, identity: str, member: str) -> Response:
    """Removes a participant with all that was handed in, and the results with those games."""
    counter = counter_of(request)

    def work(call: Call) -> None:
        participant = _participant(call, member)
        counter.runs.forget(call)
        counter.desk.remove(call, participant)

    return _done(request, identity, work)


@router.post("/{identity}/deadline")
def postpone(request: Request, identity: str, deadline: Text = "", zone: Text = "") -> Response:
    """Sets another deadline."""

    def work(call: Call) -> None:
        until = moment(deadline, zone)
        with counter_of(request).desk.changing(call):
            call.deadline, call.zone = utc(until), zone

    return _done(request, identity, work)


@router.post("/{identity}/closed")
def shut(request: Request, identity: str, closed: Annotated[bool, Form()] = True) -> Response:
    """Closes it before the deadline, or opens it again."""

    def work(call: Call) -> None:
        with counter_of(request).desk.changing(call):
            call.closed = closed

    return _done(request, identity, work)


@router.post("/{identity}/run")
def run(request: Request, identity: str) -> Response:
    """Plays what remains."""
    return _done(request, identity, counter_of(request).runs.start)


@router.post("/{identity}/seal")
def seal(request: Request, identity: str) -> Response:
    """Seals it with those who take part now."""
    return _done(request, identity, counter_of(request).runs.seal)


@router.post("/{identity}/draw")
def draw(request: Request, identity: str, value: Text = "") -> Response:
    """Gives it its public value."""
    return _done(request, identity, lambda call: counter_of(request).runs.draw(call, value))


@router.post("/{identity}/pause")
def pause(request: Request, identity: str) -> Response:
    """Stops after the games that are being played."""
    return _done(request, identity, counter_of(request).runs.pause)


@router.post("/{identity}/stop")
def stop(request: Request, identity: str, sure: Sure = False) -> Response:
    """Ends it where it stands."""

    def work(call: Call) -> None:
        need(sure)
        counter_of(request).runs.stop(call)

    return _done(request, identity, work)


@router.post("/{identity}/messages")
def release(request: Request, identity: str, messages: Annotated[bool, Form()] = False) -> Response:
    """Whether everybody who sees the results may read what the bots say."""
    return _done(request, identity, lambda call: counter_of(request).runs.release(call, messages))


@router.post("/{identity}/publish")
def publish(request: Request, identity: str) -> Response:
    """Shows the results to everybody."""
    return _done(request, identity, counter_of(request).runs.publish)


def need(sure: bool) -> None:
    """Raises Refused unless a box was ticked that says so."""
    if not sure:
        raise Refused(say("organise.stop.unsure"))


def _call(request: Request, identity: str) -> Call:
    found = counter_of(request).desk.find(identity)
    if found is None:
        raise HTTPException(404, say("web.error.no_contest", name=identity[:40]))
    return found


def _participant(call: Call, identity: str) -> Participant:
    found = call.find(identity)
    if found is None:
        raise HTTPException(404, say("submit.error.participant"))
    return found


def _done(request: Request, identity: str, work: Callable[[Call], Any]) -> Response:
    """Back to the contest's page once it is done, or with the reason why it is not."""
    call = _call(request, identity)
    try:
        work(call)
    except Refused as refused:
        return _page(request, call, str(refused))
    return RedirectResponse(f"/organise/{identity}", 303)


def _calls(request: Request, given: dict[str, str], problem: str = "") -> Response:
    desk = counter_of(request).desk
    rows = [(call, call.open_at(desk.now()), len(call.entries)) for call in desk]
    game = next(iter(games_listed()), "")
    example = EXAMPLE.read_text(encoding="utf-8").format(game=game, title=title(game))
    values = {"toml": example, "deadline": "", "zone": "", **given}
    status = 422 if problem else 200
    contests: NamedContests = request.app.state.named
    named = [(each, contests.stage(each)) for each in contests]
    return page(
        request, "organise.html", status, calls=rows, named=named, problem=problem, **values
    )


def _page(request: Request, call: Call, problem: str = "") -> Response:
    counter = counter_of(request)
    local: datetime = call.local_deadline
    return page(
        request,
        "organise-one.html",
        422 if problem else 200,
        call=call,
        open=call.open_at(counter.desk.now()),
        deadline=local.strftime("%Y-%m-%dT%H:%M"),
        links={each.identity: link_of(request, call, each) for each in call.participants},
        stage=counter.runs.stage(call),
        told=counter.runs.told(call),
        results=counter.runs.shown(call),
        released=counter.runs.released(call),
        seal=counter.runs.sealed(call),
        problem=problem,
    )
