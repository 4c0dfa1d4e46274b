"""A participant hands in a bot, reads how it was checked, has it play against the house's."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, FastAPI, File, Form, HTTPException, Request, UploadFile
from starlette.responses import RedirectResponse, Response

from joute.host.sandbox import granted
from joute.i18n.words import say
from joute.web.entries.archives import LARGEST, checked, shown
from joute.web.entries.counter import Counter
from joute.web.entries.kept import DONE, Call, Participant, Version
from joute.web.entries.opening import asked
from joute.web.entries.refused import Refused
from joute.web.entries.visiting import PARTICIPANT, Place, place_of
from joute.web.entries.visiting import place as place_in
from joute.web.limits import limits_of
from joute.web.render import page
from joute.web.replaying.places import Files
from joute.web.security import keep_visitor, set_cookie, settings_of, signed, unsigned

router = APIRouter(include_in_schema=False)

LINK = "participant's link"
MOST_VERSIONS = 100  # of a participant
LONGEST_LINK = 2000  # characters


def prepare(app: FastAPI) -> None:
    """Opens the desk of the data folder; `contest` has prepared the catalogue before."""
    app.state.counter = Counter(
        app.state.settings.data, app.state.catalogue, app.state.choices, app.state.players
    )


def close(app: FastAPI) -> None:
    """Stops checks, games and contests that are being played."""
    app.state.counter.close()


def counter_of(request: Request) -> Counter:
    """Where bots are handed in."""
    counter: Counter = request.app.state.counter
    return counter


def link_of(request: Request, call: Call, participant: Participant) -> str:
    """The secret address of a participant. What follows `#` is not sent, and so not logged."""
    scheme = "https" if settings_of(request).https else request.url.scheme
    secret = signed(request, LINK, [call.identity, participant.identity, participant.key])
    return f"{scheme}://{request.url.netloc}/submit#{secret}"


def _own(request: Request) -> Place:
    """The place of this browser. Raises HTTPException 403 without one."""
    place = place_of(request)
    if place is None:
        raise HTTPException(403, say("submit.error.link"))
    return place


@router.get("/submit")
def submit(request: Request) -> Response:
    """The participant's page; what it is about for anybody else."""
    place = place_of(request)
    return page(request, "submit.html") if place is None else _page(request, place)


@router.post("/submit/enter")
def enter(request: Request, link: Annotated[str, Form(max_length=LONGEST_LINK)] = "") -> Response:
    """The browser has a participant's link."""
    limits_of(request).take(request, "links")
    found = unsigned(request, LINK, link.rpartition("#")[2].strip())
    if place_in(counter_of(request), found) is None:
        return page(request, "submit.html", 403, problem=say("submit.error.link"))
    response = RedirectResponse("/submit", 303)
    set_cookie(request, response, PARTICIPANT, found)
    keep_visitor(request, response)
    return response


@router.post("/submit/leave")
def leave() -> Response:
    """The browser forgets the link."""
    response = RedirectResponse("/submit", 303)
    response.delete_cookie(PARTICIPANT)
    return response


@router.post("/submit/version")
def upload(request: Request, file: Annotated[UploadFile, File()]) -> Response:
    """Takes a new version and has it checked."""
    place = _own(request)
    counter = counter_of(request)
    try:
        limits_of(request).take_alone(place.participant.identity, "uploads")
        _ready(counter, place)
        if not place.call.open_at(counter.desk.now()):
            raise Refused(say("submit.refused.late"))
        if len(place.participant.versions) >= MOST_VERSIONS:
            raise Refused(say("submit.refused.versions", most=MOST_VERSIONS))
        name = file.filename or ""
        content = file.file.read(LARGEST + 1)
        suffix = checked(content, name)
        version = counter.desk.take(*place, content, shown(name), suffix)
    except Refused as refused:
        return _page(request, place, str(refused))
    counter.jobs.check(*place, version)
    return RedirectResponse("/submit", 303)


@router.post("/submit/check")
def check(request: Request, version: Annotated[int, Form()]) -> Response:
    """Has a version checked once more: in another language, or after a check that was stopped."""
    place = _own(request)
    counter = counter_of(request)
    try:
        limits_of(request).take_alone(place.participant.identity, "uploads")
        _ready(counter, place)
        found = _version(place, version)
        if found.clean and not place.call.open_at(counter.desk.now()):
            raise Refused(say("submit.refused.late"))  # what takes part stays as it is
        counter.jobs.check(*place, found)
    except Refused as refused:
        return _page(request, place, str(refused))
    return RedirectResponse("/submit", 303)


@router.post("/submit/game")
def play(
    request: Request, version: Annotated[int, Form()], house: Annotated[str, Form()]
) -> Response:
    """Has a version play a game against a bot of the house."""
    place = _own(request)
    counter = counter_of(request)
    try:
        limits_of(request).take_alone(place.participant.identity, "trials")
        _ready(counter, place)
        if house not in asked(counter.desk, place.call).houses:
            raise Refused(say("submit.error.house", house=house[:60]))
        counter.jobs.play(*place, _version(place, version), house)
    except Refused as refused:
        return _page(request, place, str(refused))
    return RedirectResponse("/submit#game", 303)


@router.get("/submit/game")
def replay(request: Request) -> Response:
    """The replay of the last test game."""
    place = _own(request)
    game = place.participant.game
    if game is None or game.state != DONE:
        raise HTTPException(404, say("submit.error.game"))
    files: Files = request.app.state.replay_files
    content = counter_of(request).desk.game(*place).read_bytes()
    return RedirectResponse(f"/replays/{files.keep(content, 'game.jsonl')}", 303)


@router.get("/submit/version/{number}")
def download(request: Request, number: int) -> Response:
    """A version as it was handed in, for whoever handed it in."""
    place = _own(request)
    try:
        version = _version(place, number)
    except Refused as refused:
        raise HTTPException(404, str(refused)) from None
    name = f"version-{version.number}{version.suffix}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    content = counter_of(request).desk.bot(*place, version).read_bytes()
    return Response(content, media_type="application/octet-stream", headers=headers)


def _ready(counter: Counter, place: Place) -> None:
    """Refuses what would run a bot that cannot be held, or twice at once."""
    wanted, found = asked(counter.desk, place.call).contest.limits.isolation, granted().level
    if found < wanted:
        raise Refused(say("submit.refused.level", found=found, wanted=wanted))
    if place.participant.busy:
        raise Refused(say("submit.refused.busy"))


def _version(place: Place, number: int) -> Version:
    """A version of the participant's. Raises Refused."""
    found = [each for each in place.participant.versions if each.number == number]
    if not found:
        raise Refused(say("submit.error.version", number=number))
    return found[0]


def _page(request: Request, place: Place, problem: str = "") -> Response:
    counter = counter_of(request)
    wanted = asked(counter.desk, place.call)
    return page(
        request,
        "submit-own.html",
        422 if problem else 200,
        call=place.call,
        participant=place.participant,
        open=place.call.open_at(counter.desk.now()),
        contest=wanted.contest,
        houses=wanted.houses,
        last=place.participant.versions[-1] if place.participant.versions else None,
        so_far=counter.jobs.so_far(*place),
        largest=LARGEST // 2**20,
        results=counter.runs.shown(place.call) if place.call.published else "",
        problem=problem,
    )
