"""The participant's pages: uploads of bots, their checks, test games against built-in bots."""

from __future__ import annotations

import threading
from typing import Annotated

from fastapi import APIRouter, FastAPI, File, Form, HTTPException, Request, UploadFile
from starlette.responses import RedirectResponse, Response

from joute.host.building.sources import LARGEST_UPLOAD
from joute.i18n.words import say
from joute.play.withheld import without_folders
from joute.web.contests.access import PARTICIPANT, Entrant, entrant_by_link, entrant_of
from joute.web.errors import RequestRefusal
from joute.web.pages import page
from joute.web.rate_limits import limits_of
from joute.web.registration.contest_files import requirements
from joute.web.registration.ladder_view import ladder_of
from joute.web.registration.service import RegistrationService
from joute.web.registration.store import (
    DONE,
    EntryVersion,
    Participant,
    Registration,
    utc,
)
from joute.web.registration.taking import check_ready, take_version
from joute.web.replays.sources import UploadedRecords
from joute.web.security import keep_visitor, sealed, set_cookie, settings_of, unsealed
from joute.web.sites.tasks import task_shown

router = APIRouter(include_in_schema=False)

TEST_GAME = "game.jsonl"  # the record of a test game, as it is downloaded
LINK = "participant's link"
LONGEST_LINK = 2000  # characters


def prepare(app: FastAPI) -> None:
    """Opens the store of the data folder; `contest` has prepared the catalogue before."""
    app.state.registration = RegistrationService(
        app.state.settings.data,
        app.state.catalogue,
        app.state.contest_options,
        app.state.contest_processes,
    )


def start(app: FastAPI) -> None:
    """Begins again what was under way, and gets ready for bots while the server runs already."""
    service: RegistrationService = app.state.registration
    service.resume()
    if app.state.settings.prepare:
        threading.Thread(target=service.get_ready, args=(list(service.store),), daemon=True).start()


def close(app: FastAPI) -> None:
    """Stops checks, games and contests that are being played."""
    app.state.registration.close()


def service_of(request: Request) -> RegistrationService:
    """The registrations of this server."""
    service: RegistrationService = request.app.state.registration
    return service


def link_of(request: Request, registration: Registration, participant: Participant) -> str:
    """The secret address of a participant. What follows `#` is not sent, and so not logged."""
    scheme = "https" if settings_of(request).https else request.url.scheme
    secret = sealed(request, LINK, [registration.identity, participant.identity, participant.key])
    return f"{scheme}://{request.url.netloc}/submit#{secret}"


def _own(request: Request) -> Entrant:
    """The entrant of this browser. Raises HTTPException 403 without one."""
    entrant = entrant_of(request)
    if entrant is None:
        raise HTTPException(403, say("submit.error.link"))
    return entrant


@router.get("/submit")
def submit(request: Request) -> Response:
    """The participant's page; for others a description."""
    entrant = entrant_of(request)
    return page(request, "submit.html") if entrant is None else _page(request, entrant)


@router.post("/submit/enter")
def enter(request: Request, link: Annotated[str, Form(max_length=LONGEST_LINK)] = "") -> Response:
    """Lets the browser in by a participant's link."""
    limits_of(request).take(request, "links")
    found = unsealed(request, LINK, link.rpartition("#")[2].strip())
    if entrant_by_link(service_of(request), found) is None:
        return page(request, "submit.html", 403, problem=say("submit.error.link"))
    response = RedirectResponse("/submit", 303)
    set_cookie(request, response, PARTICIPANT, found)
    keep_visitor(request, response)
    return response


@router.post("/submit/leave")
def leave() -> Response:
    """Makes the browser forget the link."""
    response = RedirectResponse("/submit", 303)
    response.delete_cookie(PARTICIPANT)
    return response


@router.post("/submit/version")
def upload(request: Request, file: Annotated[UploadFile, File()]) -> Response:
    """Takes a new version and has it checked."""
    entrant = _own(request)
    service = service_of(request)
    try:
        content, name = file.file.read(LARGEST_UPLOAD + 1), file.filename or ""
        take_version(service, limits_of(request), entrant, content, name)
    except RequestRefusal as refusal:
        return _page(request, entrant, str(refusal))
    return RedirectResponse("/submit", 303)


@router.post("/submit/check")
def check(request: Request, version: Annotated[int, Form()]) -> Response:
    """Checks a version again: in another language, or after a check that was stopped."""
    entrant = _own(request)
    service = service_of(request)
    try:
        limits_of(request).take_alone(entrant.participant.identity, "uploads")
        check_ready(service, entrant)
        found = _version(entrant, version)
        taken = entrant.registration.takes(entrant.participant, service.store.now())
        if found.clean and not taken:
            raise RequestRefusal(say("submit.refused.late"))  # what takes part stays as it is
        service.jobs.check(*entrant, found)
    except RequestRefusal as refusal:
        return _page(request, entrant, str(refusal))
    return RedirectResponse("/submit", 303)


@router.post("/submit/game")
def play(
    request: Request, version: Annotated[int, Form()], house: Annotated[str, Form()]
) -> Response:
    """Plays a test game of a version against a built-in bot."""
    entrant = _own(request)
    service = service_of(request)
    try:
        limits_of(request).take_alone(entrant.participant.identity, "trials")
        check_ready(service, entrant)
        if house not in requirements(service.store, entrant.registration).houses:
            raise RequestRefusal(say("submit.error.house", house=house[:60]))
        service.jobs.play(*entrant, _version(entrant, version), house)
    except RequestRefusal as refusal:
        return _page(request, entrant, str(refusal))
    return RedirectResponse("/submit#game", 303)


@router.get("/submit/game")
def replay(request: Request) -> Response:
    """The replay of the last test game."""
    entrant = _own(request)
    game = entrant.participant.game
    if game is None or game.state != DONE:
        raise HTTPException(404, say("submit.error.game"))
    files: UploadedRecords = request.app.state.replay_files
    content = without_folders(service_of(request).store.game(*entrant).read_bytes())
    return RedirectResponse(f"/replays/{files.keep(content, TEST_GAME)}", 303)


@router.get("/submit/game/record")
def record(request: Request) -> Response:
    """The record of the last test game."""
    entrant = _own(request)
    game = entrant.participant.game
    if game is None or game.state != DONE:
        raise HTTPException(404, say("submit.error.game"))
    content = without_folders(service_of(request).store.game(*entrant).read_bytes())
    headers = {"Content-Disposition": f'attachment; filename="{TEST_GAME}"'}
    return Response(content, media_type="application/jsonl", headers=headers)


@router.post("/submit/ladder")
def hide(request: Request, hidden: Annotated[bool, Form()] = False) -> Response:
    """Has the participant stand in the ladder under an alias, or under their name again."""
    entrant = _own(request)
    if hidden != entrant.participant.hidden:
        limits_of(request).take_alone(entrant.participant.identity, "hiding")
    try:
        service_of(request).ladders.hide(*entrant, hidden)
    except RequestRefusal as refusal:
        return _page(request, entrant, str(refusal))
    return RedirectResponse("/submit#ladder", 303)


@router.get("/submit/version/{number}")
def download(request: Request, number: int) -> Response:
    """A version as it was uploaded, for its participant."""
    entrant = _own(request)
    try:
        version = _version(entrant, number)
    except RequestRefusal as refusal:
        raise HTTPException(404, str(refusal)) from None
    name = f"version-{version.number}{version.suffix}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    content = service_of(request).store.bot(*entrant, version).read_bytes()
    return Response(content, media_type="application/octet-stream", headers=headers)


def _version(entrant: Entrant, number: int) -> EntryVersion:
    """A version of the participant's. Raises RequestRefusal."""
    found = [each for each in entrant.participant.versions if each.number == number]
    if not found:
        raise RequestRefusal(say("submit.error.version", number=number))
    return found[0]


def _page(request: Request, entrant: Entrant, problem: str = "") -> Response:
    service = service_of(request)
    registration, participant = entrant
    last = participant.versions[-1] if participant.versions else None
    return page(
        request,
        "submit-own.html",
        422 if problem else 200,
        participant=participant,
        open=registration.takes(participant, service.store.now()),
        due=utc(registration.deadline_of(participant)),
        last=last,
        so_far=service.jobs.so_far(*entrant, last),
        largest=LARGEST_UPLOAD // 2**20,
        results=service.control.public_address(registration),
        ladder=ladder_of(service, registration, participant),
        problem=problem,
        **task_shown(service, registration),
    )
