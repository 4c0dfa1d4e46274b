"""Contests: the list of them, and the pages of each."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, FastAPI, HTTPException, Query, Request
from starlette.requests import HTTPConnection
from starlette.responses import Response

from joute.contest.config.presentation import LONGEST_NAME
from joute.contest.proof.text import chain
from joute.contest.schedule.formats import Table
from joute.i18n.words import say
from joute.store.store import StoreError
from joute.web.contests import marks, views
from joute.web.contests.access import heard, visible
from joute.web.contests.album import is_album
from joute.web.contests.choices import Choices
from joute.web.contests.course import course_plot
from joute.web.contests.glance import Glance, glance, lasting
from joute.web.contests.named import NamedContests
from joute.web.contests.players import Players
from joute.web.contests.sealing import shown_seal
from joute.web.contests.shelf import Kept, Shelf, holds_contest
from joute.web.contests.summary import PLAYING, Summary
from joute.web.render import page
from joute.web.security import is_organiser

router = APIRouter(include_in_schema=False)

FILE = ".toml"  # of a contest
PAGE = 50  # games of a list
LARGEST_NUMBER = 2**31 - 1  # of a game
MOST_BOTS = 2  # by which the games of a list are chosen


def prepare(app: FastAPI) -> None:
    """Opens the contests that are served."""
    settings = app.state.settings
    given = [path for path in settings.folders if path.suffix != FILE]
    app.state.album_folders = [path for path in given if not holds_contest(path) and is_album(path)]
    app.state.choices = Choices(settings.data, settings.messages)
    app.state.players = Players()
    app.state.shelf = Shelf([path for path in given if path not in app.state.album_folders])
    files = [path for path in settings.folders if path.suffix == FILE]
    app.state.named = NamedContests(
        files, app.state.shelf, app.state.choices, app.state.players, settings.data
    )


def close(app: FastAPI) -> None:
    """Closes them, and stops those that are played here."""
    app.state.players.close()
    app.state.shelf.close()
    app.state.named.close()


class Found(NamedTuple):
    """A contest that was asked for."""

    kept: Kept
    summary: Summary


def find(request: HTTPConnection, identifier: str) -> Kept:
    """The contest of that identifier. Raises HTTPException 404."""
    shelf: Shelf = request.app.state.shelf
    kept = shelf.find(identifier)
    if kept is None or not visible(request, kept):
        raise HTTPException(404, say("web.error.no_contest", name=identifier))
    return kept


def summed_up(request: HTTPConnection, identifier: str) -> Found:
    """A contest with its summary. Raises HTTPException: 404, or 503 where it cannot be read."""
    kept = find(request, identifier)
    try:
        return Found(kept, kept.summary())
    except (StoreError, OSError, ValueError) as error:
        raise HTTPException(503, say("web.error.contest", reason=error)) from error


def glances(request: Request) -> list[Glance]:
    """Every contest that is served, in a few words; those being played come first."""
    found = []
    request.app.state.named.look()
    for kept in request.app.state.shelf.seen(is_organiser(request)):
        try:
            found.append(glance(kept, kept.summary()))
        except (StoreError, OSError, ValueError) as error:
            found.append(glance(kept, None, say("web.error.contest", reason=error)))
    return sorted(found, key=lambda each: each.stage != PLAYING)


@router.get("/contests")
def contests(request: Request) -> Response:
    """All contests that are served."""
    albums = request.app.state.albums.values()
    return page(request, "contests.html", contests=glances(request), albums=albums)


@router.get("/contests/{identifier}")
def standings(request: Request, identifier: str) -> Response:
    """Who leads, twice: the official ranking and the rating; who beat whom; how it came about."""
    found = summed_up(request, identifier)
    ranking, strengths = views.lines(found.summary), marks.strengths(found.summary)
    return contest_page(
        request,
        "standings",
        found,
        columns=views.columns(found.summary),
        ranking=ranking,
        strengths=strengths,
        threads=marks.threads(ranking, strengths),
        row=marks.ROW,
        leader=marks.leader(found.summary),
        matrix=views.matrix(found.summary),
        course=course_plot(found.summary),
        paces=marks.paces(found.summary),
        numbers=views.numbers(found.summary),
    )


@router.get("/contests/{identifier}/games")
def games(
    request: Request,
    identifier: str,
    bot: Annotated[list[str], Query(max_length=MOST_BOTS)] = [],  # noqa: B006, FastAPI copies it
    before: Annotated[int | None, Query(ge=0, le=LARGEST_NUMBER)] = None,
) -> Response:
    """The games, newest first: all of them, or those of one or two bots."""
    found = summed_up(request, identifier)
    bots = [name for name in dict.fromkeys(bot) if name][:MOST_BOTS]
    listed = found.kept.newest([name[:LONGEST_NAME] for name in bots], before, PAGE + 1)
    return contest_page(
        request,
        "games",
        found,
        games=listed[:PAGE],
        bots=[*bots, *[""] * (MOST_BOTS - len(bots))],
        chosen=bots,
        count=found.kept.store.how_many(bots),
        older=listed[PAGE - 1].number if len(listed) > PAGE else None,
        newest=before is None,
        alone=found.summary.report.alone,
    )


@router.get("/contests/{identifier}/bots")
def bots(request: Request, identifier: str) -> Response:
    """Who takes part: what the authors say of their bots."""
    found = summed_up(request, identifier)
    ranks = {line.name: line.rank for line in views.lines(found.summary)}
    return contest_page(
        request, "bots", found, entries=found.summary.report.contest.bots, ranks=ranks
    )


@router.get("/contests/{identifier}/bots/{number}")
def bot(request: Request, identifier: str, number: int) -> Response:
    """A bot: its authors, its results against each of the others, its faults, its last games."""
    found = summed_up(request, identifier)
    entries = found.summary.report.contest.bots
    if not 1 <= number <= len(entries):
        raise HTTPException(404, say("web.error.no_page", path=request.url.path))
    entry = entries[number - 1]
    place, line = _placed(found.summary.table, entry.name)
    return contest_page(
        request,
        "bot",
        found,
        entry=entry,
        line=line,
        shown=views.lines(found.summary)[place],
        columns=views.columns(found.summary),
        strength=next(
            (each for each in marks.strengths(found.summary).rows if each.name == entry.name), None
        ),
        meetings=[
            (name, views.numbers(found.summary)[name], found.summary.cross[entry.name, name])
            for name in found.summary.report.ranked
            if (entry.name, name) in found.summary.cross
        ],
        failing=[each for each in _failing(request, found) if each.name == entry.name],
        games=found.kept.newest([entry.name], None, 10),
        alone=found.summary.report.alone,
    )


@router.get("/contests/{identifier}/faults")
def faults(request: Request, identifier: str) -> Response:
    """What went wrong, bot by bot, explained."""
    found = summed_up(request, identifier)
    return contest_page(request, "faults", found, failing=_failing(request, found))


def _failing(request: Request, found: Found) -> list[views.Failing]:
    return views.failing(found.summary, heard(request, found.kept))


@router.get("/contests/{identifier}/rules")
def rules(request: Request, identifier: str) -> Response:
    """What the contest is played under."""
    found = summed_up(request, identifier)
    contest = found.summary.report.contest
    return contest_page(request, "rules", found, costs=views.costs(contest.costs))


def _placed(table: Table, name: str) -> tuple[int, Any]:
    lines: list[Any] = list(table)
    return next((place, line) for place, line in enumerate(lines) if line.name == name)


def contest_page(request: Request, section: str, found: Found, **values: Any) -> Response:
    """A page of a contest, under its head."""
    summary = found.summary
    failed = [line for line in summary.table if line.faults]
    return page(
        request,
        f"contest/{section}.html",
        section=section,
        address=f"/contests/{found.kept.identifier}",
        contest=summary.report.contest,
        seal=shown_seal(found.kept),
        kept=found.kept,
        messages=heard(request, found.kept) is None,
        released=request.app.state.choices.messages(found.kept.folder),
        glance=glance(found.kept, summary),
        summary=summary,
        stage=summary.stage,
        done=summary.done,
        left=summary.left,
        time_left=lasting(summary.seconds_left),
        chain=chain(found.kept.store.last_link()),
        fault_count=sum(fault.count for line in failed for fault in line.faults),
        failed=len(failed),
        **values,
    )
