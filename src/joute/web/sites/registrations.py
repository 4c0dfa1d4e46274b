"""The organiser's pages of a contest that takes registrations: participants, deadline, the run."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from starlette.responses import RedirectResponse, Response

from joute.i18n.words import say
from joute.web.errors import RequestRefusal
from joute.web.middleware import name_of
from joute.web.organiser import need_organiser
from joute.web.pages import page
from joute.web.registration.activity import activity
from joute.web.registration.contest_files import (
    ContestTerms,
    alike,
    checked_person,
    claim_number,
    future,
    house_names,
    moment,
    numbers_of,
    participant_name,
)
from joute.web.registration.copies import copies
from joute.web.registration.store import (
    Announcement,
    Participant,
    Person,
    Registration,
    utc,
)
from joute.web.settings import LOOPBACK
from joute.web.sites.organise import add_control, run_shown
from joute.web.sites.submit import link_of, service_of

router = APIRouter(
    prefix="/organise", include_in_schema=False, dependencies=[Depends(need_organiser)]
)

LONGEST_ANNOUNCEMENT = 2000  # characters

Text = Annotated[str, Form()]
Flag = Annotated[bool, Form()]


def only_here(request: Request) -> bool:
    """Whether the address of this page leads to this machine on this machine alone."""
    return name_of(request.headers.get("host", "")) in LOOPBACK


def registration_of(request: Request, identifier: str) -> Registration:
    """The contest of that identifier. Raises HTTPException 404."""
    found = service_of(request).store.find(identifier)
    if found is None:
        raise HTTPException(404, say("web.error.no_contest", name=identifier[:40]))
    return found


def participant_of(registration: Registration, member: str) -> Participant:
    """The participant of that identity. Raises HTTPException 404."""
    found = registration.find(member)
    if found is None:
        raise HTTPException(404, say("submit.error.participant"))
    return found


def registration_page(request: Request, registration: Registration, problem: str = "") -> Response:
    """The page of a contest; `problem` is why something could not be done."""
    service = service_of(request)
    now = service.store.now()
    local: datetime = registration.local_deadline
    return page(
        request,
        "organise-one.html",
        422 if problem else 200,
        registration=registration,
        open=registration.open_at(now),
        now=utc(now),
        only_here=only_here(request),
        activity=activity(registration, now),
        copies=copies(service.store, registration),
        attempts=service.control.attempts(registration),
        ladder_trouble=service.ladders.trouble(registration),
        deadline=local.strftime("%Y-%m-%dT%H:%M"),
        links={
            each.identity: link_of(request, registration, each)
            for each in registration.participants
        },
        **run_shown(service.control, registration, problem),
    )


def registration_done(
    request: Request, identifier: str, work: Callable[[Registration], Any], then: str = ""
) -> Response:
    """Does something with a contest; the answer leads to its page, or to the address `then`."""
    registration = registration_of(request, identifier)
    try:
        work(registration)
    except RequestRefusal as refusal:
        return registration_page(request, registration, str(refusal))
    return RedirectResponse(then or f"/organise/{identifier}", 303)


@router.get("/{identifier}")
def shown(request: Request, identifier: str) -> Response:
    """A contest that takes registrations, or took them: participants, the run."""
    return registration_page(request, registration_of(request, identifier))


@router.post("/{identifier}/participants")
def invite(request: Request, identifier: str, name: Text = "") -> Response:
    """Adds a participant."""
    store = service_of(request).store

    def work(registration: Registration) -> None:
        found = participant_name(registration, name, house_names(store, registration))
        store.enrol(registration, [Person(found)])

    return registration_done(request, identifier, work)


@router.post("/{identifier}/participants/{member}/name")
def rename(
    request: Request, identifier: str, member: str, name: Text = "", sure: Flag = False
) -> Response:
    """Renames a participant; results with the former name are deleted if that is confirmed."""
    service = service_of(request)

    def work(registration: Registration) -> None:
        participant = participant_of(registration, member)
        house = house_names(service.store, registration)
        former, found = participant.name, participant_name(registration, name, house, participant)
        if found == former:
            return
        service.control.check_idle(registration)
        if not sure and service.control.holds(registration, former):
            raise RequestRefusal(say("organise.rename.unsure", name=former))
        with service.store.changing(registration):
            participant.name, participant.renamed = found, True
        # Last: a ladder that begins now has the new name.
        service.control.forget_name(registration, participant, former)

    return registration_done(request, identifier, work, _of_member(identifier, member))


@router.post("/{identifier}/participants/{member}/link")
def renew(request: Request, identifier: str, member: str) -> Response:
    """Replaces a participant's link, which is no longer valid, by another."""
    store = service_of(request).store

    def work(registration: Registration) -> None:
        store.renew(registration, participant_of(registration, member))

    return registration_done(request, identifier, work, _of_member(identifier, member))


@router.post("/{identifier}/participants/{member}/remove")
def remove(request: Request, identifier: str, member: str) -> Response:
    """Removes a participant with all bots, and the results if they have games of theirs."""
    service = service_of(request)

    def work(registration: Registration) -> None:
        participant = participant_of(registration, member)
        service.control.check_idle(registration)
        service.store.remove(registration, participant)
        # Last: a ladder that begins now is without the bot.
        service.control.forget_name(registration, participant, participant.name)

    return registration_done(request, identifier, work)


@router.post("/{identifier}/deadline")
def postpone(request: Request, identifier: str, deadline: Text = "", zone: Text = "") -> Response:
    """Sets another deadline."""

    def work(registration: Registration) -> None:
        until = future(service_of(request).store, ContestTerms(deadline, zone))
        if registration.opening and utc(until) <= registration.opening:
            raise RequestRefusal(say("organise.form.opening.late"))
        with service_of(request).store.changing(registration):
            registration.deadline, registration.zone = utc(until), zone

    return registration_done(request, identifier, work)


@router.post("/{identifier}/closed")
def shut(request: Request, identifier: str, closed: Flag = True) -> Response:
    """Closes registration before the deadline, or opens it again."""

    def work(registration: Registration) -> None:
        with service_of(request).store.changing(registration):
            registration.closed = closed

    return registration_done(request, identifier, work)


@router.post("/{identifier}/participants/{member}/person")
def describe(
    request: Request,
    identifier: str,
    member: str,
    number: Text = "",
    group: Text = "",
    email: Text = "",
) -> Response:
    """Sets what the organiser's list says of a participant."""

    def work(registration: Registration) -> None:
        participant = participant_of(registration, member)
        person = checked_person(Person(participant.name, number, group, email))
        claim_number(person, numbers_of(registration.participants, {alike(participant.name)}))
        with service_of(request).store.changing(registration):
            participant.number, participant.group = person.number, person.group
            participant.email = person.email

    return registration_done(request, identifier, work, _of_member(identifier, member))


@router.post("/{identifier}/participants/{member}/extension")
def extend(request: Request, identifier: str, member: str, deadline: Text = "") -> Response:
    """Gives a participant a deadline of their own; without one that of all holds again."""

    def work(registration: Registration) -> None:
        participant = participant_of(registration, member)
        until = utc(moment(deadline, registration.zone)) if deadline else ""
        if until and until < registration.deadline:
            raise RequestRefusal(say("organise.extension.early"))
        with service_of(request).store.changing(registration):
            participant.extension = until

    return registration_done(request, identifier, work, _of_member(identifier, member))


def _of_member(identifier: str, member: str) -> str:
    return f"/organise/{identifier}/participants/{member}"


@router.post("/{identifier}/announcements")
def announce(request: Request, identifier: str, text: Text = "") -> Response:
    """Shows a message to all participants."""

    def work(registration: Registration) -> None:
        store = service_of(request).store
        said = text.replace("\r\n", "\n").strip()
        if not said or len(said) > LONGEST_ANNOUNCEMENT:
            raise RequestRefusal(say("organise.announce.wrong", most=LONGEST_ANNOUNCEMENT))
        with store.changing(registration):
            registration.announcements.append(Announcement(said, utc(store.now())))

    return registration_done(request, identifier, work)


@router.post("/{identifier}/unpublish")
def unpublish(request: Request, identifier: str) -> Response:
    """Shows the results to the organiser alone again."""
    return registration_done(request, identifier, service_of(request).control.unpublish)


@router.post("/{identifier}/publish")
def publish(request: Request, identifier: str) -> Response:
    """Shows the results to everybody."""
    return registration_done(request, identifier, service_of(request).control.publish)


add_control(router, "", lambda request: service_of(request).control, registration_done)
