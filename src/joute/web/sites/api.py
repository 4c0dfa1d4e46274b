"""The data of the pages for programs: JSON under /api, and a page that lists what can be asked.

The answers are described by the classes at the top.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Path, Query, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, Field
from starlette.responses import Response

from joute.contest.config.default_names import LONGEST_NAME
from joute.contest.ranking.ranking import Standing
from joute.contest.report.cells import Line, values
from joute.i18n.recognised import recognised
from joute.store.reading import Listed
from joute.store.store import StoreError
from joute.web.contests.access import readable_bots, served_contest
from joute.web.contests.catalogue import Catalogue, ServedContest
from joute.web.contests.snapshot import Snapshot
from joute.web.games import about, games_listed, title
from joute.web.organiser import is_organiser
from joute.web.pages import page
from joute.web.positions import Readable
from joute.web.replays.sources import of_contest
from joute.web.sites.contest import LARGEST_NUMBER, MOST_BOTS, found_contest
from joute.web.sites.replay import positions as sent_positions


class ErrorAnswer(BaseModel):
    """An error."""

    error: str = Field(description="a sentence, in the language asked for by Accept-Language")


class GameAnswer(BaseModel):
    """A game that can be played."""

    name: str
    title: str
    about: str
    address: str = Field(description="the page where it is played")


class ProgressAnswer(BaseModel):
    """The progress of a contest."""

    stage: str = Field(description="new, playing, paused, stopped or finished")
    done: int = Field(description="games that count")
    left: int = Field(description="games that may still be needed")
    seconds_left: float | None = Field(description="while it is playing, by the last games' pace")
    whole: bool = Field(description="false while all but the standings is still being worked out")


class ContestAnswer(BaseModel):
    """A contest that is served."""

    id: str
    name: str
    game: str
    format: str
    address: str = Field(description="its page")
    bots: list[str]
    move_seconds: float
    progress: ProgressAnswer


class RatingAnswer(BaseModel):
    """A bot's strength by its games."""

    elo: float | None
    interval: tuple[float, float] | None = Field(description="95 %")
    reason: str = Field(description="why there is no Elo: won, lost, games or reference")
    groups: list[int] = Field(description="two bots without one in common do differ")


class StandingAnswer(BaseModel):
    """A bot's line in the standings."""

    rank: int
    bot: str
    disqualified: bool = Field(description="by the rules or the organiser; its results are void")
    withdrawn: bool = Field(description="taken out by the organiser; its results are void")
    games: int
    won: int | None = Field(description="null where each plays alone")
    drawn: int | None
    lost: int | None
    score: float | None = Field(description="0..1, over complete sets; points where alone")
    interval: tuple[float, float] | None = Field(description="95 %, of the score")
    by_rule: dict[str, float] = Field(description="what the rules of the ranking go by")
    rating: RatingAnswer | None
    faults: int
    mean_ms: float | None = Field(description="milliseconds of processor time a turn")


class MeetingAnswer(BaseModel):
    """The games of a bot against another."""

    bot: str
    other: str
    above: int
    level: int
    below: int


class FaultAnswer(BaseModel):
    """A fault of a bot, and its first occurrence."""

    bot: str
    fault: str
    count: int
    detail: str = Field(description="empty unless the organiser has released what bots say")
    game: str = Field(description="the identity of the first game")
    ply: int


class BotAnswer(BaseModel):
    """A bot that takes part."""

    name: str
    authors: list[str]
    description: str
    address: str = Field(description="its page")


class PlayedAnswer(BaseModel):
    """A game of a contest; lists are by seat."""

    number: int = Field(description="in the order of arrival")
    identity: str
    bots: list[str]
    map: str
    returns: list[float]
    points: list[int]
    plies: int
    ending: str
    played_at: str
    address: str = Field(description="the page of its replay")


REFUSED: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer} for status in (400, 403, 404, 422, 429, 503)
}
MOST_GAMES = 200  # of an answer

router = APIRouter(prefix="/api", tags=["contests"], responses=REFUSED)

Contest = Annotated[str, Path(pattern="^[a-z0-9-]{1,60}$", description="the id of a contest")]
Identity = Annotated[str, Path(pattern="^[0-9a-f]{32}$", description="the identity of a game")]


@router.get("", include_in_schema=False)
def described(request: Request) -> Response:
    """The page that lists all operations."""
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
    """The progress of a contest: cheap, to be asked for every few seconds."""
    return progress_answer(found_contest(request, contest).snapshot)


@router.get("/contests/{contest}/standings")
def standings(request: Request, contest: Contest) -> list[StandingAnswer]:
    """The official ranking, best first, with the ratings."""
    return [standing_answer(line) for line in found_contest(request, contest).report.table]


@router.get("/contests/{contest}/meetings")
def meetings(request: Request, contest: Contest) -> list[MeetingAnswer]:
    """The results between every two bots that met, from either side."""
    return [
        MeetingAnswer(bot=bot, other=other, **met._asdict())
        for (bot, other), met in found_contest(request, contest).report.cross.items()
    ]


@router.get("/contests/{contest}/faults")
def faults(request: Request, contest: Contest) -> list[FaultAnswer]:
    """The faults of the bots."""
    found = found_contest(request, contest)
    known = readable_bots(request, found.served)
    return [fault for line in found.report.table for fault in fault_answers(line, known)]


@router.get("/contests/{contest}/bots")
def bots(request: Request, contest: Contest) -> list[BotAnswer]:
    """The bots that take part."""
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
    served = served_contest(request, contest)
    return [played_answer(served, game) for game in served.newest(bot, before, count)]


@router.get(
    "/contests/{contest}/games/{identity}/record",
    response_class=Response,
    responses={200: {"content": {"application/jsonl": {"schema": {"type": "string"}}}}},
)
def record(request: Request, contest: Contest, identity: Identity) -> Response:
    """The record of a game, JSON Lines: what `joute verify` proves.

    Until the organiser has released what the bots said, it lacks that of all bots but the reader's
    own; for others than the organiser it lacks the folders of the bots' files, and where a ladder
    names not everybody the hashes of others' files too.
    """
    content = of_contest(request).download
    name = f'attachment; filename="{identity}.jsonl"'
    return Response(content, media_type="application/jsonl", headers={"Content-Disposition": name})


@router.get("/contests/{contest}/games/{identity}/positions", response_model=dict[str, Any])
async def positions(request: Request, contest: Contest, identity: Identity) -> Response:
    """A game ply by ply: what each seat sees, what was said, marks, clocks, who was ahead."""
    return await sent_positions(request, await run_in_threadpool(of_contest, request))


def contest_answer(served: ServedContest, snapshot: Snapshot) -> ContestAnswer:
    """A contest."""
    contest = snapshot.report.contest
    return ContestAnswer(
        id=served.identifier,
        name=contest.name,
        game=contest.game,
        format=contest.format,
        address=f"/contests/{served.identifier}",
        bots=[bot.name for bot in contest.bots],
        move_seconds=contest.limits.move_seconds,
        progress=progress_answer(snapshot),
    )


def progress_answer(snapshot: Snapshot) -> ProgressAnswer:
    """The progress of a contest."""
    return ProgressAnswer(
        stage=snapshot.stage,
        done=snapshot.report.done,
        left=snapshot.report.left,
        seconds_left=snapshot.seconds_left,
        whole=snapshot.report.whole,
    )


def standing_answer(line: Line) -> StandingAnswer:
    """A line of the standings."""
    found = values(line)
    rating = line.rating if isinstance(line, Standing) else None
    return StandingAnswer.model_validate(
        {"won": None, "drawn": None, "lost": None}
        | found
        | {
            "bot": line.name,
            "score": found.get("mean", found.get("score")),
            "interval": line.interval,
            "by_rule": line.by_rule if isinstance(line, Standing) else {},
            "rating": None if rating is None else msgspec.structs.asdict(rating),
        }
    )


def fault_answers(line: Line, known: Readable) -> list[FaultAnswer]:
    """The faults of a bot, with details if the reader may see them."""
    open_ = known is None or line.name in known
    return [
        FaultAnswer.model_validate(
            msgspec.structs.asdict(fault)
            | {"bot": line.name, "detail": str(recognised(fault.first)) if open_ else ""}
        )
        for fault in line.faults
    ]


def played_answer(served: ServedContest, game: Listed) -> PlayedAnswer:
    """A game of a contest."""
    address = f"/contests/{served.identifier}/games/{game.identity}"
    return PlayedAnswer.model_validate(game._asdict() | {"address": address})
