"""The organiser's pages of results: decisions with their reasons, marks, exports, the audit."""

from __future__ import annotations

import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, NamedTuple

from fastapi import APIRouter, Depends, Form, HTTPException, Request
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, RedirectResponse, Response

from joute.contest.decisions import decide
from joute.contest.errors import ContestError
from joute.contest.report import wording
from joute.i18n.words import language, say
from joute.store.model import KINDS, OF_GAMES
from joute.store.store import StoreError
from joute.text import slug
from joute.web.contests.catalogue import ServedContest
from joute.web.contests.views import ServedLinks
from joute.web.errors import RequestRefusal
from joute.web.organiser import need_organiser
from joute.web.pages import page
from joute.web.registration.bundle import packed, sheet_text
from joute.web.registration.jobs import COMMAND
from joute.web.registration.marks import (
    MOST_AGAINST,
    PERSON,
    ClassMarks,
    fields_of,
    keep_scale,
    marks,
    scale_text,
    with_fields,
    write_sheets,
)
from joute.web.registration.store import Registration
from joute.web.sites.contest_making import Sent
from joute.web.sites.registrations import registration_of
from joute.web.sites.submit import service_of

router = APIRouter(
    prefix="/organise", include_in_schema=False, dependencies=[Depends(need_organiser)]
)

Text = Annotated[str, Form()]
FORMS = {"html": "html", "page": "html", "csv": "csv", "jsonl": "jsonl"}
"""The forms of `joute export` that are offered."""
LATEST = 25  # games that are listed
EXPORT_SECONDS = 600.0
WHO = 60  # characters of a name
SHORTEST = 4  # characters by which the name of a record is known


def _served(request: Request, registration: Registration) -> ServedContest:
    """The results of a contest. Raises HTTPException 404 before there are any."""
    found = service_of(request).control.served(registration)
    if found is None:
        raise HTTPException(404, say("submit.run.none"))
    return found


@router.get("/{identifier}/results")
def results(request: Request, identifier: str, game: str = "") -> Response:
    """The standings with what can be decided about each bot and game."""
    return _results(request, registration_of(request, identifier), TypedDecision(subject=game))


class TypedDecision(NamedTuple):
    """A decision as it was typed into a form, which is shown again where it was refused."""

    kind: str = ""
    subject: str = ""
    why: str = ""
    who: str = ""


def _results(
    request: Request, registration: Registration, typed: TypedDecision, problem: str = ""
) -> Response:
    served = _served(request, registration)
    try:
        report = served.snapshot().report
        games = served.newest([], None, LATEST)
    except (StoreError, OSError, ValueError) as error:
        raise HTTPException(503, say("web.error.contest", reason=error)) from error
    return page(
        request,
        "organise-results.html",
        422 if problem else 200,
        registration=registration,
        report=report,
        attempts=service_of(request).control.attempts(registration),
        links=ServedLinks(f"/contests/{served.identifier}", report.numbers),
        games=games,
        typed=typed,
        people={each.name: each for each in registration.participants},
        decisions=report.decisions,
        decided=wording.decided,
        places=wording.places(report.contest, report.table),
        left=report.left,
        forms=list(FORMS),
        problem=problem,
    )


@router.post("/{identifier}/decide")
def take_decision(
    request: Request,
    identifier: str,
    kind: Text = "",
    subject: Text = "",
    why: Text = "",
    who: Text = "",
) -> Response:
    """Annuls a game, withdraws, disqualifies or reinstates, with the reason."""
    registration = registration_of(request, identifier)
    served = _served(request, registration)
    service = service_of(request)
    typed = TypedDecision(kind, subject, why, who)
    try:
        if kind not in KINDS:
            raise RequestRefusal(say("organise.decide.kind"))
        if not why.strip():
            raise RequestRefusal(say("organise.decide.why"))
        service.control.check_idle(registration)
        named = who.strip()[:WHO] or say("organise.decide.organiser")
        subject = _game(served, subject) if kind in OF_GAMES else subject.strip()
        try:
            decide(served.contest, kind, subject, why.strip(), named)
            served.renew()
        except (ContestError, StoreError, OSError, ValueError) as error:
            raise RequestRefusal(str(error)) from None
    except RequestRefusal as refusal:
        return _results(request, registration, typed, str(refusal))
    return RedirectResponse(f"/organise/{identifier}/results", 303)


def _game(served: ServedContest, text: str) -> str:
    """The identity of a game by its number in the lists, else the text as it is.

    Raises RequestRefusal for a number that no game has, and that is too short to be a name.
    """
    number = text.strip().removeprefix("#")
    if number.isascii() and number.isdecimal() and len(number) < 8:
        found = served.newest([], int(number) + 1, 1)
        if found and found[0].number == int(number):
            return found[0].identity
        if len(number) < SHORTEST:
            raise RequestRefusal(say("organise.decide.no_game", number=number))
    return text.strip()


@router.get("/{identifier}/marks")
def marks_page(request: Request, identifier: str) -> Response:
    """The scale as a form, and the gradebook that it makes."""
    return _marks(request, registration_of(request, identifier))


@router.post("/{identifier}/marks")
def change_marks(request: Request, identifier: str, form: Sent) -> Response:
    """Changes the scale: by the form, or by its file."""
    registration = registration_of(request, identifier)
    service = service_of(request)
    given = {key: value for key, value in form.items() if isinstance(value, str)}
    text = given.get("toml", "").replace("\r\n", "\n")
    before = scale_text(service.store, registration)
    try:
        text = text if text.strip() and text != before else with_fields(before, given)
        keep_scale(service.store, registration, _served(request, registration), text)
    except RequestRefusal as refusal:
        return _marks(request, registration, str(refusal), given)
    return RedirectResponse(f"/organise/{identifier}/marks", 303)


def _marks(
    request: Request,
    registration: Registration,
    problem: str = "",
    given: dict[str, str] | None = None,
) -> Response:
    store, served = service_of(request).store, _served(request, registration)
    text = scale_text(store, registration)
    try:
        found = marks(store, registration, served)
    except RequestRefusal as refusal:  # a bot of reference is gone
        found, problem = None, problem or str(refusal)
    fields = fields_of(text) | (given or {})
    return page(
        request,
        "organise-marks.html",
        422 if given else 200,
        registration=registration,
        book=found.book if found else None,
        columns=_columns(found) if found else [],
        alone=found is not None and found.report.alone,
        bots=_house_bots(registration, served),
        fields=fields,
        rows=range(max(MOST_AGAINST, sum(key.startswith("bot") for key in fields))),
        toml=(given or {}).get("toml", text),
        problem=problem,
    )


def _house_bots(registration: Registration, served: ServedContest) -> list[str]:
    """The bots that points may be given against: as references they have no mark themselves."""
    people = {each.name for each in registration.participants}
    return [bot.name for bot in served.contest.bots if bot.name not in people]


class ShownColumn(NamedTuple):
    """A column of the gradebook on the page."""

    at: int  # which of the book's, from 0
    column: str
    heading: str


def _columns(found: ClassMarks) -> list[ShownColumn]:
    """The columns of the gradebook, without those about persons in which nobody has anything."""
    shown = []
    for at, (heading, column) in enumerate(found.scale.columns.items()):
        if column in PERSON and not any(row[at] for row in found.book.rows):
            continue
        own = heading != column or column in found.scale.criteria
        title = heading if own else say(f"organise.marks.column.{column}")
        shown.append(ShownColumn(at, column, title))
    return shown


@router.get("/{identifier}/marks/gradebook.csv")
def gradebook_file(request: Request, identifier: str) -> Response:
    """The gradebook for a spreadsheet: one row for each invited student."""
    registration = registration_of(request, identifier)
    found = _found_marks(request, registration)
    headers = {"Content-Disposition": 'attachment; filename="gradebook.csv"'}
    return Response(sheet_text(found.book), media_type="text/csv", headers=headers)


@router.get("/{identifier}/marks/sheets.zip")
def sheets(request: Request, identifier: str) -> Response:
    """The gradebook with a sheet of feedback for each student."""
    registration = registration_of(request, identifier)
    found = _found_marks(request, registration)
    return _packed(f"{_slug(registration)}-marks", lambda folder: write_sheets(found, folder))


def _found_marks(request: Request, registration: Registration) -> ClassMarks:
    try:
        return marks(service_of(request).store, registration, _served(request, registration))
    except RequestRefusal as refusal:
        raise HTTPException(422, str(refusal)) from None


@router.get("/{identifier}/exports/{form}")
def export(request: Request, identifier: str, form: str) -> Response:
    """The results in a form of `joute export`: a folder as a zip, or the one page."""
    if form not in FORMS:
        raise HTTPException(404, say("web.error.no_page", path=form[:40]))
    registration = registration_of(request, identifier)
    _served(request, registration)

    def write(folder: Path) -> None:
        output = folder / "index.html" if form == "page" else folder
        more = ("--replays",) if form == "html" else ()
        _command(request, registration, "export", "--format", form, "--out", str(output), *more)

    name = f"{_slug(registration)}-{form}"
    if form != "page":
        return _packed(name, write)
    with TemporaryDirectory(prefix="joute-") as folder:
        write(Path(folder))
        content = (Path(folder) / "index.html").read_bytes()
    headers = {"Content-Disposition": f'attachment; filename="{name}.html"'}
    return Response(content, media_type="text/html", headers=headers)


@router.get("/{identifier}/audit")
def audit(request: Request, identifier: str) -> Response:
    """All that it takes to defend the results, as `joute contest audit` tells it."""
    registration = registration_of(request, identifier)
    _served(request, registration)
    told = _command(request, registration, "contest", "audit", fine=(0, 1))
    return page(request, "organise-audit.html", registration=registration, told=told)


def _command(
    request: Request, registration: Registration, *words: str, fine: tuple[int, ...] = (0,)
) -> str:
    """The output of a command on the contest, run in its folder so that paths are short."""
    service = service_of(request)
    folder = service.store.run(registration)
    at = 2 if words[0] == "contest" else 1
    line = [*COMMAND, *words[:at], "contest.toml", *words[at:], "--lang", language()]
    try:
        done = subprocess.run(
            line, cwd=folder, capture_output=True, text=True, timeout=EXPORT_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise HTTPException(503, say("organise.export.long")) from None
    if done.returncode not in fine:
        reason = (done.stderr.strip().splitlines() or [""])[-1].removeprefix("joute: ")
        raise HTTPException(503, say("organise.export.failed", reason=reason))
    return done.stdout.replace(f"{folder}/", "")


def _packed(name: str, write: Callable[[Path], None]) -> Response:
    """The files that are written into a folder, as a zip with one folder of that name."""
    with TemporaryDirectory(prefix="joute-") as folder:
        write(Path(folder))
        files = [file for file in sorted(Path(folder).rglob("*")) if file.is_file()]

        def put(archive: zipfile.ZipFile) -> None:
            for file in files:
                archive.write(file, f"{name}/{file.relative_to(folder).as_posix()}")

        path = packed(put)
    cleanup = BackgroundTask(path.unlink)
    return FileResponse(
        path, media_type="application/zip", filename=f"{name}.zip", background=cleanup
    )


def _slug(registration: Registration) -> str:
    return slug(registration.name) or "contest"
