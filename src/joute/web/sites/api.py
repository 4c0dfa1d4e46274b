"""The same data for programs: JSON under /api, and a page that lists what can be asked."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Query, Request
from starlette.responses import Response

from joute.contest.config.entries import LONGEST_NAME
from joute.i18n.words import say
from joute.store.store import StoreError
from joute.web.contests.access import heard
from joute.web.contests.answers import (
    BotAnswer,
    ContestAnswer,
    ErrorAnswer,
    FaultAnswer,
    GameAnswer,
    MeetingAnswer,
    PlayedAnswer,
    ProgressAnswer,
    StandingAnswer,
    contest_answer,
    fault_answers,
    played_answer,
    progress_answer,
    standing_answer,
)
from joute.web.contests.catalogue import Catalogue
from joute.web.games import about, games_listed, title
from joute.web.render import page
from joute.web.security import is_organiser
from joute.web.sites.contest import LARGEST_NUMBER, MOST_BOTS, find, found_contest

REFUSED: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer} for status in (400, 403, 404, 422, 429, 503)
}
MOST_GAMES = 200  # of an answer

router = APIRouter(prefix="/api", tags=["contests"], responses=REFUSED)

Contest = Annotated[str, Path(pattern="^[a-z0-9-]{1,60}$", description="the id of a contest")]
Identity = Annotated[str, Path(pattern="^[0-9a-f]{32}$", description="the identity of a game")]


@router.get("", include_in_schema=False)
def described(request: Request) -> Response:
    """What can be asked, as a page."""
    description = request.app.openapi()
    operations = [
        (method.upper(), path, operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    ]
    schemas = description.get("components", {}).get("schemas", {})
    return page(request, "api.html", operations=operations, schemas=schemas, schema_of=_schema_of)


def _schema_of(operation: dict[str, Any]) -> str:
    """The name of what an operation answers; "" for what is not JSON."""
    content = operation["responses"].get("200", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema", {})
    return str(schema.get("$ref") or schema.get("items", {}).get("$ref", "")).rpartition("/")[2]


@router.get("/games", tags=["games"])
def games(request: Request) -> list[GameAnswer]:
    """The games that can be played."""
    return [
        GameAnswer(
            name=name,
            title=title(name),
            about=about(name),
            address=f"/play/{name}",
        )
        for name in games_listed()
    ]


@router.get("/contests")
def contests(request: Request) -> list[ContestAnswer]:
    """The contests that are served; those that cannot be read are left out."""
    found = []
    catalogue: Catalogue = request.app.state.catalogue
    for served in catalogue.seen(is_organiser(request)):
        try:
            found.append(contest_answer(served, served.snapshot()))
        except (StoreError, OSError, ValueError):
            continue
    return found


@router.get("/contests/{contest}")
def contest(request: Request, contest: Contest) -> ContestAnswer:
    """A contest."""
    return contest_answer(*found_contest(request, contest))


@router.get("/contests/{contest}/progress")
def progress(request: Request, contest: Contest) -> ProgressAnswer:
    """Where a contest stands: cheap, to be asked every few seconds."""
    return progress_answer(found_contest(request, contest).snapshot)


@router.get("/contests/{contest}/standings")
def standings(request: Request, contest: Contest) -> list[StandingAnswer]:
    """The official ranking, best first, with the ratings."""
    return [standing_answer(line) for line in found_contest(request, contest).report.table]


@router.get("/contests/{contest}/meetings")
def meetings(request: Request, contest: Contest) -> list[MeetingAnswer]:
    """Who beat whom: every two bots that met, from either side."""
    return [
        MeetingAnswer(bot=bot, other=other, **met._asdict())
        for (bot, other), met in found_contest(request, contest).report.cross.items()
    ]


@router.get("/contests/{contest}/faults")
def faults(request: Request, contest: Contest) -> list[FaultAnswer]:
    """What the bots failed in."""
    found = found_contest(request, contest)
    known = heard(request, found.served)
    return [fault for line in found.report.table for fault in fault_answers(line, known)]


@router.get("/contests/{contest}/bots")
def bots(request: Request, contest: Contest) -> list[BotAnswer]:
    """Who takes part."""
    entries = found_contest(request, contest).report.contest.bots
    return [
        BotAnswer(
            name=bot.name,
            authors=list(bot.authors),
            description=bot.description,
            address=f"/contests/{contest}/bots/{number}",
        )
        for number, bot in enumerate(entries, start=1)
    ]


@router.get("/contests/{contest}/games")
def played(
    request: Request,
    contest: Contest,
    bot: Annotated[
        list[Annotated[str, Query(max_length=LONGEST_NAME)]],
        Query(max_length=MOST_BOTS, description="only games in which all of these play"),
    ] = [],  # noqa: B006, FastAPI copies it
    before: Annotated[
        int | None,
        Query(ge=0, le=LARGEST_NUMBER, description="only games of smaller numbers"),
    ] = None,
    count: Annotated[int, Query(ge=1, le=MOST_GAMES)] = 50,
) -> list[PlayedAnswer]:
    """The games, newest first, a page at a time."""
    served = find(request, contest)
    return [played_answer(served, game) for game in served.newest(bot, before, count)]


@router.get(
    "/contests/{contest}/games/{identity}/record",
    response_class=Response,
    responses={200: {"content": {"application/jsonl": {"schema": {"type": "string"}}}}},
)
def record(request: Request, contest: Contest, identity: Identity) -> Response:
    """The record of a game, JSON Lines: what `joute verify` proves.

    It holds what the bots said, so it is refused until the organiser has released that.
    """
    served = find(request, contest)
    content = served.store.record(identity)
    if content is None:
        raise HTTPException(404, say("web.error.no_game", name=identity))
    if heard(request, served) is not None:
        raise HTTPException(403, say("web.error.record"))
    name = f'attachment; filename="{identity}.jsonl"'
    return Response(content, media_type="application/jsonl", headers={"Content-Disposition": name})
