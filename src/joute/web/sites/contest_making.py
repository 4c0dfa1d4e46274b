"""The organiser's pages that make a contest, change it while nobody played it, and delete it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Request
from starlette.background import BackgroundTask
from starlette.datastructures import FormData
from starlette.responses import JSONResponse, RedirectResponse, Response

from joute.core.errors import GameError
from joute.core.interface import properties
from joute.core.maps import find_map, shipped
from joute.core.registry import card, defaults, find, make
from joute.i18n.recognised import worded
from joute.i18n.words import say
from joute.play.timeline import Timeline
from joute.web.contests.snapshot import NEW
from joute.web.errors import RequestRefusal
from joute.web.games import games_listed
from joute.web.organiser import need_organiser
from joute.web.pages import page
from joute.web.positions import facts, position
from joute.web.registration.contest_files import ContestTerms, changed, opened
from joute.web.registration.contest_form import (
    Values,
    contest_menu,
    merged,
    new_file,
    read_values,
    sent_values,
    tables,
)
from joute.web.registration.store import Registration
from joute.web.sites.registrations import registration_of
from joute.web.sites.submit import service_of

router = APIRouter(
    prefix="/organise", include_in_schema=False, dependencies=[Depends(need_organiser)]
)

USUAL_DAYS = 14  # until the deadline of a new contest
USUAL_TIME = "23:59"
_FIELD_TIME = "%Y-%m-%dT%H:%M"  # as browsers write a field of a date and time
MOST_MINUTES = 60 * 24 * 31  # of grace, and of lateness


async def sent_form(request: Request) -> AsyncIterator[FormData]:
    """The fields of the form that was sent; files are closed when it is answered."""
    async with request.form() as form:
        yield form


Sent = Annotated[FormData, Depends(sent_form)]


@router.get("/new")
def new(request: Request, game: str = "", copy: str = "") -> Response:
    """The games to choose from, or the form of a contest of one of them, or like another."""
    if copy:
        other = registration_of(request, copy)
        text = service_of(request).store.contest(other).read_text(encoding="utf-8")
        return _form(request, other.game, text, terms=_usual_terms(other), copy=copy)
    if not game:
        return page(request, "organise-new.html", games=games_listed())
    if find(game) is None:
        raise HTTPException(404, say("table.error.game", game=game[:40]))
    return _form(request, game, new_file(game), terms=_usual_terms())


@router.post("/new")
def begin(request: Request, form: Sent) -> Response:
    """Opens a contest as the form, or its file, describes it."""
    service = service_of(request)
    copied = registration_of(request, copy) if (copy := _text(form, "copy")) else None
    try:
        text = _merged(form)
        if _text(form, "read"):
            return _again(request, form, text)
        people = copied.participants if copied is not None and _text(form, "people") else ()
        registration = opened(service.store, text, _terms(form), people)
    except RequestRefusal as refusal:
        return _again(request, form, _text(form, "toml"), str(refusal))
    ready = BackgroundTask(service.get_ready, [registration])
    return RedirectResponse(f"/organise/{registration.identity}", 303, background=ready)


@router.get("/maps/{game}/{name}.json")
def chart(game: str, name: str) -> Response:
    """The first position on a map, for the script that draws it."""
    if find(game) is None or name not in shipped(game):
        raise HTTPException(404, say("web.error.no_page", path=name[:40]))
    try:
        made = _on_map(game, find_map(game, name))
    except GameError as error:
        raise HTTPException(404, str(error)) from None
    names = [str(seat) for seat in range(1, properties(made).players + 1)]
    shown = position(made, Timeline(made).steps[0], names)
    content = {"facts": facts(made, names, ["builtin"] * len(names)), "position": shown}
    return JSONResponse(content, headers={"Cache-Control": "private, max-age=3600"})


def _on_map(game: str, text: str) -> Any:
    """A game on a map, with as many players as the map has room for. Raises GameError."""
    counts = card(game).parameters.get("players", ()) if "players" in defaults(game) else ()
    for players in sorted(counts, reverse=True):
        try:
            return make(game, map=text, players=players)
        except GameError:
            continue
    return make(game, map=text)


@router.get("/{identifier}/edit")
def edit(request: Request, identifier: str) -> Response:
    """The form of a contest: to be changed until its first game, and looked at afterwards."""
    registration = registration_of(request, identifier)
    text = service_of(request).store.contest(registration).read_text(encoding="utf-8")
    terms = _terms_of(registration)
    return _form(request, registration.game, text, terms=terms, registration=registration)


@router.post("/{identifier}/edit")
def change(request: Request, identifier: str, form: Sent) -> Response:
    """Changes a contest that nobody has played; bots handed in are checked again."""
    service = service_of(request)
    registration = registration_of(request, identifier)
    try:
        if service.control.stage(registration) != NEW:
            raise RequestRefusal(say("organise.form.played"))
        text = _merged(form)
        if _text(form, "read"):
            return _again(request, form, text, registration=registration)
        other = changed(service.store, registration, text, _terms(form))
    except RequestRefusal as refusal:
        toml = _text(form, "toml")
        return _again(request, form, toml, str(refusal), registration=registration)
    for each in registration.participants if other else ():
        if each.versions and not each.busy:
            service.jobs.check(registration, each, each.versions[-1])
    return RedirectResponse(f"/organise/{identifier}", 303)


@router.post("/{identifier}/delete")
def delete(request: Request, identifier: str, form: Sent) -> Response:
    """Deletes a contest with all that was handed in and played, if its name is typed."""
    service = service_of(request)
    registration = registration_of(request, identifier)
    try:
        if _text(form, "name").strip() != registration.name:
            raise RequestRefusal(say("organise.delete.name", name=registration.name))
        if any(each.busy for each in registration.participants):
            raise RequestRefusal(say("organise.delete.busy"))
        service.control.forget(registration)
    except RequestRefusal as refusal:
        text = service.store.contest(registration).read_text(encoding="utf-8")
        terms = _terms_of(registration)
        return _form(
            request, registration.game, text, str(refusal), terms=terms, registration=registration
        )
    service.store.delete(registration)
    return RedirectResponse("/organise", 303)


def _text(form: FormData, field: str) -> str:
    found = form.get(field, "")
    return found if isinstance(found, str) else ""


def _merged(form: FormData) -> str:
    """The file with what was changed in the form. Raises RequestRefusal."""
    text, before = (
        _text(form, field).replace("\r\n", "\n").removeprefix("\n") for field in ("toml", "before")
    )
    if not before:  # the file alone was sent
        return text
    return merged(text, before, sent_values(form.multi_items()))


def _terms(form: FormData) -> ContestTerms:
    """The terms that a form describes. Raises RequestRefusal."""
    return ContestTerms(
        deadline=_text(form, "deadline"),
        zone=_text(form, "zone"),
        grace_minutes=_minutes(form, "grace", 1),
        late_minutes=_minutes(form, "late", 60),
        at_once=bool(_text(form, "at_once")),
        opening=_text(form, "opening"),
    )


def _minutes(form: FormData, field: str, unit: int) -> int:
    """A number of a field, in units of so many minutes."""
    text = _text(form, field).strip() or "0"
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise RequestRefusal(say("organise.form.minutes", value=text[:20]))
    return min(unit * int(text), MOST_MINUTES)


def _terms_of(registration: Registration) -> ContestTerms:
    opening = registration.local_opening
    return ContestTerms(
        registration.local_deadline.strftime(_FIELD_TIME),
        registration.zone,
        registration.grace_minutes,
        registration.late_minutes,
        registration.at_once,
        "" if opening is None else opening.strftime(_FIELD_TIME),
    )


def _usual_terms(other: Registration | None = None) -> ContestTerms:
    """The terms of a new contest, like those of another but for its times."""
    day = (datetime.now(UTC) + timedelta(days=USUAL_DAYS)).date()
    terms = ContestTerms("", "") if other is None else _terms_of(other)
    return terms._replace(deadline=f"{day}T{USUAL_TIME}", opening="")


def _again(
    request: Request,
    form: FormData,
    text: str,
    problem: str = "",
    registration: Registration | None = None,
) -> Response:
    """The form as it was sent; without a problem, as the file that was sent has it."""
    terms = ContestTerms(
        _text(form, "deadline"), _text(form, "zone"), opening=_text(form, "opening")
    )
    with suppress(RequestRefusal):  # the problem says which number is wrong
        terms = _terms(form)
    before, values = text, None
    if problem and _text(form, "before"):
        before = _text(form, "before").replace("\r\n", "\n")
        values = sent_values(form.multi_items())
    try:
        game = str(tables(text).get("game", {}).get("name", ""))
    except (RequestRefusal, AttributeError):
        game = ""
    game = game if find(game) else _text(form, "game")
    if find(game) is None:
        game = next(iter(games_listed()), "")
    return _form(
        request,
        game,
        text,
        problem,
        terms=terms,
        registration=registration,
        copy=_text(form, "copy"),
        before=before,
        values=values,
    )


def _form(
    request: Request,
    game: str,
    text: str,
    problem: str = "",
    *,
    terms: ContestTerms,
    registration: Registration | None = None,
    copy: str = "",
    before: str | None = None,
    values: Values | None = None,
) -> Response:
    """The page of the form. `text` is the file, `before` the one that the fields were filled from.

    The fields are filled with `values`, or with what the file says.
    """
    before = text if before is None else before
    try:
        found: Mapping[str, Any] = read_values(before) if values is None else values
    except RequestRefusal as refusal:
        before, found, problem = "", sent_values(()), problem or str(refusal)
    control = service_of(request).control
    try:
        menu = contest_menu(game)
    except GameError as error:  # of a game that is gone
        raise HTTPException(404, str(worded(error))) from None
    return page(
        request,
        "organise-form.html",
        422 if problem else 200,
        menu=menu,
        values=found,
        toml=text,
        before=before,
        terms=terms,
        registration=registration,
        locked=registration is not None and control.stage(registration) != NEW,
        copy=copy,
        problem=problem,
        hours=terms.late_minutes // 60,
    )
