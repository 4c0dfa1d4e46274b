"""Handing in by a program: bots are sent with a participant's token, and their checks asked for.

The token is what follows `#` in the participant's link. It comes in a header of its own, which no
page of another site can have a browser send; cookies are not looked at.
"""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Header, HTTPException, Path, Request, UploadFile
from pydantic import BaseModel, Field

from joute.host.building.sources import LARGEST_UPLOAD
from joute.i18n.words import say
from joute.web.contests.access import Entrant, entrant_by_link
from joute.web.errors import RequestRefusal
from joute.web.rate_limits import limits_of
from joute.web.registration.store import WAITING, CheckFinding, EntryVersion, utc
from joute.web.registration.taking import take_version
from joute.web.security import unsealed
from joute.web.sites.api import REFUSED
from joute.web.sites.submit import LINK, service_of

OWN_TOKEN = True  # who sends something says so by a header, and needs no token of a form
SCHEME = "Bearer"

router = APIRouter(prefix="/api/submissions", tags=["submissions"], responses=REFUSED)

Authorization = Annotated[str, Header(description="Bearer TOKEN, the participant's")]
Number = Annotated[int, Path(ge=1, le=10_000, description="the number of a version")]


class FindingAnswer(BaseModel):
    """The outcome of one check of a bot."""

    check: str
    mark: str = Field(description="good, doubtful or bad")
    said: str
    detail: list[str]


class VersionAnswer(BaseModel):
    """A version that was handed in."""

    number: int
    file: str
    content: str = Field(description="the hash of its bytes")
    sent_at: str
    state: str = Field(description="waiting, done or stopped: its check")
    clean: bool = Field(description="whether it may play")
    plays: bool = Field(description="whether it is the version that takes part now")
    trouble: str = Field(description="why there is no report, if there is none")
    findings: list[FindingAnswer] = Field(description="those so far, while it is waiting")


class EntrantAnswer(BaseModel):
    """A participant, by the token that was sent."""

    contest: str
    name: str = Field(description="of the contest")
    game: str
    participant: str
    open: bool = Field(description="whether bots are taken from them now")
    due: str = Field(description="their deadline")
    versions: list[VersionAnswer]


@router.get("")
def entrant(request: Request, authorization: Authorization = "") -> EntrantAnswer:
    """The participant of the token, the contest, and all versions that were handed in."""
    found = _entrant(request, authorization)
    registration, participant = found
    return EntrantAnswer(
        contest=registration.identity,
        name=registration.name,
        game=registration.game,
        participant=participant.name,
        open=registration.takes(participant, service_of(request).store.now()),
        due=utc(registration.deadline_of(participant)),
        versions=[_answer(request, found, each) for each in participant.versions],
    )


@router.post("", status_code=202)
def submit_version(
    request: Request, file: Annotated[UploadFile, File()], authorization: Authorization = ""
) -> VersionAnswer:
    """Takes a bot, a .py or a .zip, as the participant's page does, and has it checked."""
    found = _entrant(request, authorization)
    content, name = file.file.read(LARGEST_UPLOAD + 1), file.filename or ""
    try:
        version = take_version(service_of(request), limits_of(request), found, content, name)
    except RequestRefusal as refusal:
        raise HTTPException(422, str(refusal)) from None
    return _answer(request, found, version)


@router.get("/{number}")
def version_answer(
    request: Request, number: Number, authorization: Authorization = ""
) -> VersionAnswer:
    """A version with what its check has found: to be asked for every few seconds."""
    found = _entrant(request, authorization)
    version = next((each for each in found.participant.versions if each.number == number), None)
    if version is None:
        raise HTTPException(404, say("submit.error.version", number=number))
    return _answer(request, found, version)


def _entrant(request: Request, authorization: str) -> Entrant:
    """The participant of a token. Raises HTTPException 403."""
    scheme, _, token = authorization.partition(" ")
    link = unsealed(request, LINK, token.strip()) if scheme == SCHEME else None
    found = entrant_by_link(service_of(request), link)
    if found is None:
        limits_of(request).take(request, "links")  # only who guesses is held up
        raise HTTPException(403, say("submit.error.token"))
    return found


def _answer(request: Request, found: Entrant, version: EntryVersion) -> VersionAnswer:
    state = version.state  # looked at once: a check may end meanwhile, and would lose its findings
    waiting = state == WAITING
    findings = service_of(request).jobs.so_far(*found, version) if waiting else version.findings
    return VersionAnswer(
        number=version.number,
        file=version.file,
        content=version.content,
        sent_at=version.sent_at,
        state=state,
        clean=state != WAITING and version.clean,
        plays=version is found.participant.entry,
        trouble=version.trouble,
        findings=[_finding(each) for each in findings],
    )


def _finding(found: CheckFinding) -> FindingAnswer:
    return FindingAnswer(check=found.check, mark=found.mark, said=found.said, detail=found.detail)
