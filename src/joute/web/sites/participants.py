"""The organiser's pages of one participant: versions, reports, files, games; and of copies."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, RedirectResponse, Response

from joute.contest.report.wording import ExplainedFault
from joute.contest.similarity import shared_lines, similarity
from joute.i18n.words import say
from joute.store.reading import Listed
from joute.store.store import StoreError
from joute.text import harmless, slug
from joute.web.contests import views
from joute.web.contests.views import ServedLinks
from joute.web.errors import RequestRefusal
from joute.web.organiser import need_organiser
from joute.web.pages import page
from joute.web.registration.bundle import everything
from joute.web.registration.copies import copies, newest, prints_of, program, source_files
from joute.web.registration.store import WAITING, EntryVersion, Participant, Registration
from joute.web.sites.registrations import participant_of, registration_of
from joute.web.sites.submit import link_of, service_of

router = APIRouter(
    prefix="/organise", include_in_schema=False, dependencies=[Depends(need_organiser)]
)

LATEST = 10  # games of a participant that are listed
LONGEST_SHOWN = 200_000  # characters of a file


class CodeLine(NamedTuple):
    """A line of a program, from 1, and whether it lies in a part that another has too."""

    number: int
    text: str
    shared: bool = False


@router.get("/{identifier}/participants/{member}")
def participant_page(
    request: Request, identifier: str, member: str, version: int = 0, file: str = ""
) -> Response:
    """A participant: versions, the report and the file of one of them, games, faults."""
    registration = registration_of(request, identifier)
    participant = participant_of(registration, member)
    return shown_participant(request, registration, participant, version=version, file=file)


@router.post("/{identifier}/participants/{member}/check")
def check(
    request: Request, identifier: str, member: str, version: Annotated[int, Form()]
) -> Response:
    """Checks a version again, unless that is under way."""
    registration = registration_of(request, identifier)
    participant = participant_of(registration, member)
    service = service_of(request)
    chosen = _chosen(participant, version)
    try:
        if chosen is not None and chosen.state != WAITING:
            service.check_isolation(registration)
            service.jobs.check(registration, participant, chosen)
    except RequestRefusal as refusal:
        return shown_participant(request, registration, participant, str(refusal), version)
    address = f"/organise/{identifier}/participants/{member}?version={version}"
    return RedirectResponse(address, 303)


def shown_participant(
    request: Request,
    registration: Registration,
    participant: Participant,
    problem: str = "",
    version: int = 0,
    file: str = "",
) -> Response:
    """The page of a participant; `problem` is why something could not be done."""
    service = service_of(request)
    chosen = _chosen(participant, version)
    files = []
    if chosen is not None:
        files = source_files(service.store.bot(registration, participant, chosen))
    shown_file = next((each for each in files if each.name == file), files[0] if files else None)
    text = shown_file.text if shown_file else None
    people = registration.participants
    at = people.index(participant)
    return page(
        request,
        "organise-participant.html",
        422 if problem else 200,
        registration=registration,
        participant=participant,
        link=link_of(request, registration, participant),
        chosen=chosen,
        so_far=service.jobs.so_far(registration, participant, chosen),
        files=files,
        shown_file=shown_file,
        code=_lines(text[:LONGEST_SHOWN]) if text is not None else [],
        copies=copies(service.store, registration),
        attempts=service.control.attempts(registration),
        before=people[at - 1] if at else None,
        after=people[at + 1] if at + 1 < len(people) else None,
        held=service.control.holds(registration, participant.name),
        problem=problem,
        **_played(request, registration, participant),
    )


def _chosen(participant: Participant, number: int) -> EntryVersion | None:
    """The version of that number, the newest without one. Raises HTTPException 404."""
    if not number:
        return participant.versions[-1] if participant.versions else None
    found = next((each for each in participant.versions if each.number == number), None)
    if found is None:
        raise HTTPException(404, say("organise.error.version", number=number))
    return found


def _played(
    request: Request, registration: Registration, participant: Participant
) -> dict[str, Any]:
    """The games, the faults and the line of the standings of a participant, if there are any."""
    nothing: dict[str, Any] = {"games": [], "faults": [], "line": None}
    nothing |= {"links": None, "alone": False}
    served = service_of(request).control.served(registration)
    if served is None:
        return nothing
    try:
        report = served.snapshot().report
        if participant.name not in report.numbers:
            return nothing
        shown = views.bot(report, participant.name)
        games: list[Listed] = served.newest([participant.name], None, LATEST)
    except (StoreError, OSError, ValueError):  # its own page says what is wrong
        return nothing
    faults: list[ExplainedFault] = shown["faults"]
    links = ServedLinks(f"/contests/{served.identifier}", report.numbers)
    return {
        "games": games,
        "faults": faults,
        "line": shown["line"],
        "links": links,
        "alone": report.alone,
    }


@router.get("/{identifier}/participants/{member}/version/{number}")
def version_file(request: Request, identifier: str, member: str, number: int) -> Response:
    """A version as it was handed in."""
    registration = registration_of(request, identifier)
    participant = participant_of(registration, member)
    chosen = _chosen(participant, number)
    if chosen is None:
        raise HTTPException(404, say("organise.error.version", number=number))
    path = service_of(request).store.bot(registration, participant, chosen)
    name = f"{slug(participant.name) or participant.identity}-{chosen.number}{chosen.suffix}"
    return FileResponse(path, media_type="application/octet-stream", filename=name)


@router.get("/{identifier}/similar")
def similar(request: Request, identifier: str) -> Response:
    """The pairs of participants whose programs are the same, or have much in common."""
    registration = registration_of(request, identifier)
    found = copies(service_of(request).store, registration)
    return page(
        request,
        "organise-similar.html",
        registration=registration,
        copies=found,
        same=found.groups,
    )


@router.get("/{identifier}/similar/{one}/{other}")
def side_by_side(request: Request, identifier: str, one: str, other: str) -> Response:
    """The programs of two participants side by side, what both have marked."""
    registration = registration_of(request, identifier)
    store = service_of(request).store
    both = [participant_of(registration, each) for each in (one, other)]
    versions = [newest(each) for each in both]
    if any(each is None for each in versions):
        raise HTTPException(404, say("organise.error.nothing"))
    handed = [(who, each) for who, each in zip(both, versions, strict=True) if each is not None]
    prints = [prints_of(store, registration, *each) for each in handed]
    sides = []
    for at, (who, version) in enumerate(handed):
        text = program(source_files(store.bot(registration, who, version)))
        marked = shared_lines(prints[at], prints[1 - at])
        sides.append((who, version, _lines(text[:LONGEST_SHOWN], marked)))
    return page(
        request,
        "organise-side-by-side.html",
        registration=registration,
        sides=sides,
        share=similarity(*prints),
        same=handed[0][1].content == handed[1][1].content,
    )


def _lines(text: str, marked: set[int] | frozenset[int] = frozenset()) -> list[CodeLine]:
    lines = text.splitlines()
    return [CodeLine(at, harmless(line), at in marked) for at, line in enumerate(lines, start=1)]


@router.get("/{identifier}/everything.zip")
def download(request: Request, identifier: str) -> Response:
    """Everything of a contest: its file, all versions and reports, the list, the results."""
    registration = registration_of(request, identifier)
    service = service_of(request)
    served = service.control.served(registration)
    path = everything(service.store, registration, served)
    name = f"{slug(registration.name) or 'contest'}.zip"
    cleanup = BackgroundTask(path.unlink)
    return FileResponse(path, media_type="application/zip", filename=name, background=cleanup)
