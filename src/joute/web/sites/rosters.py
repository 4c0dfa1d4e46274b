"""The organiser's pages that invite a whole class: a list, pasted or sent, and a sheet of links."""

from __future__ import annotations

from typing import NamedTuple

import segno
from fastapi import APIRouter, Depends, Request
from markupsafe import Markup
from starlette.datastructures import UploadFile
from starlette.responses import RedirectResponse, Response

from joute.contest.report.cells import Value
from joute.contest.report.tables import Sheet
from joute.text import slug
from joute.web.errors import RequestRefusal
from joute.web.organiser import need_organiser
from joute.web.pages import page
from joute.web.registration.bundle import sheet_text
from joute.web.registration.contest_files import house_names
from joute.web.registration.roster import LARGEST, Roster, decoded, read_roster
from joute.web.registration.store import Participant, Registration
from joute.web.sites.contest_making import Sent
from joute.web.sites.registrations import only_here, registration_of
from joute.web.sites.submit import link_of, service_of

router = APIRouter(
    prefix="/organise", include_in_schema=False, dependencies=[Depends(need_organiser)]
)

COLUMNS = ("name", "number", "group", "email", "link")


class LinkSlip(NamedTuple):
    """A participant's part of the sheet."""

    participant: Participant
    link: str
    code: Markup  # the link as a QR code


@router.get("/{identifier}/roster")
def roster_form(request: Request, identifier: str) -> Response:
    """The form to paste a list, or to send it as a file."""
    return _roster(request, registration_of(request, identifier), "")


@router.post("/{identifier}/roster")
async def read_list(request: Request, identifier: str, form: Sent) -> Response:
    """Reads a list, shows what it says, and invites those on it once that is confirmed."""
    registration = registration_of(request, identifier)
    sent = form.get("file")
    text, latin = str(form.get("text", "")), False
    try:
        if isinstance(sent, UploadFile) and sent.filename:
            text, latin = decoded(await sent.read(LARGEST + 1))
        house = house_names(service_of(request).store, registration)
        found = read_roster(registration, text, latin, house)
    except RequestRefusal as refusal:
        return _roster(request, registration, text, problem=str(refusal))
    if not form.get("sure"):
        return _roster(request, registration, text, found)
    store = service_of(request).store
    store.enrol(registration, found.new)
    with store.changing(registration):
        for participant, person in found.known:
            participant.number = person.number or participant.number
            participant.group = person.group or participant.group
            participant.email = person.email or participant.email
    return RedirectResponse(f"/organise/{identifier}/links", 303)


def _roster(
    request: Request,
    registration: Registration,
    text: str,
    found: Roster | None = None,
    problem: str = "",
) -> Response:
    return page(
        request,
        "organise-roster.html",
        422 if problem else 200,
        registration=registration,
        text=text,
        roster=found,
        problem=problem,
    )


@router.get("/{identifier}/links")
def links(request: Request, identifier: str) -> Response:
    """All links on a sheet to print and cut, each with its QR code."""
    registration = registration_of(request, identifier)
    slips = []
    for each in registration.participants:
        link = link_of(request, registration, each)
        drawn = segno.make(link, error="l").svg_inline(border=2, light="#fff", omitsize=True)
        slips.append(LinkSlip(each, link, Markup(drawn)))  # noqa: S704, drawn here
    return page(
        request,
        "organise-links.html",
        registration=registration,
        slips=slips,
        only_here=only_here(request),
    )


@router.get("/{identifier}/links.csv")
def links_file(request: Request, identifier: str) -> Response:
    """All links for a spreadsheet, or to send letters."""
    registration = registration_of(request, identifier)
    rows: list[list[Value]] = [
        [*each.person, link_of(request, registration, each)] for each in registration.participants
    ]
    name = f"{slug(registration.name) or 'contest'}-links.csv"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    text = sheet_text(Sheet(dict.fromkeys(COLUMNS, str), rows))
    return Response(text, media_type="text/csv", headers=headers)
