"""Contests: the list of them, and the pages of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, FastAPI, HTTPException, Query, Request
from starlette.requests import HTTPConnection
from starlette.responses import Response

from joute.contest.config.default_names import LONGEST_NAME
from joute.contest.folder import holds_contest
from joute.contest.proof.difference import chain_text
from joute.contest.report.report import Report
from joute.i18n.figures import duration
from joute.i18n.words import say
from joute.store.store import StoreError
from joute.web.contests import views
from joute.web.contests.access import readable_bots, served_contest
from joute.web.contests.catalogue import Catalogue, ServedContest
from joute.web.contests.control import ContestProcesses, OptionsStore, shown_seal
from joute.web.contests.named import NamedContests
from joute.web.contests.records_folder import holds_records
from joute.web.contests.snapshot import PLAYING, Snapshot
from joute.web.contests.views import Overview, overview
from joute.web.organiser import is_organiser
from joute.web.pages import page
from joute.web.sites.tasks import open_shown

router = APIRouter(include_in_schema=False)

FILE = ".toml"  # of a contest
TABS = ("standings", "live", "games", "bots", "faults", "rules")
PAGE = 50  # games of a list
LARGEST_NUMBER = 2**31 - 1  # of a game
MOST_BOTS = 2  # by which the games of a list are chosen


def prepare(app: FastAPI) -> None:
    """Opens the contests that are served."""
    settings = app.state.settings
    given = [path for path in settings.folders if path.suffix != FILE]
    records = [path for path in given if not holds_contest(path) and holds_records(path)]
    app.state.records_paths = records
    app.state.contest_options = OptionsStore(settings.data, settings.messages)
    app.state.contest_processes = ContestProcesses()
    app.state.catalogue = Catalogue([path for path in given if path not in records])
    files = [path for path in settings.folders if path.suffix == FILE]
    app.state.named = NamedContests(
        files,
        app.state.catalogue,
        app.state.contest_options,
        app.state.contest_processes,
        settings.data,
    )


def close(app: FastAPI) -> None:
    """Closes the contests, and stops those that are played here."""
    app.state.contest_processes.close()
    app.state.catalogue.close()
    app.state.named.close()


class FoundContest(NamedTuple):
    """A contest that was asked for."""

    served: ServedContest
    snapshot: Snapshot

    @property
    def report(self) -> Report:
        """The report of the contest."""
        return self.snapshot.report

    @property
    def address(self) -> str:
        """The address of its page."""
        return f"/contests/{self.served.identifier}"


def found_contest(request: HTTPConnection, identifier: str) -> FoundContest:
    """A contest that was asked for. Raises HTTPException: 404, or 503 where it cannot be read."""
    served = served_contest(request, identifier)
    try:
        return FoundContest(served, served.snapshot())
    except (StoreError, OSError, ValueError) as error:
        raise HTTPException(503, say("web.error.contest", reason=error)) from error


def overviews(request: Request) -> list[Overview]:
    """Every contest that is served, in a few words; those being played come first."""
    found = []
    request.app.state.named.look()
    for served in request.app.state.catalogue.seen(is_organiser(request)):
        try:
            found.append(overview(served, served.snapshot()))
        except (StoreError, OSError, ValueError) as error:
            found.append(overview(served, None, say("web.error.contest", reason=error)))
    return sorted(found, key=lambda each: each.stage != PLAYING)


@router.get("/contests")
def contests(request: Request) -> Response:
    """The page of all contests."""
    folders = request.app.state.records_folders.values()
    return page(
        request,
        "contests.html",
        contests=overviews(request),
        folders=folders,
        **open_shown(request),
    )


@router.get("/contests/{identifier}")
def standings(request: Request, identifier: str) -> Response:
    """The standings: official ranking, ratings, results between bots, scores over time."""
    found = found_contest(request, identifier)
    shown = views.standings(found.report)
    return contest_page(request, "standings", found, scripts=["js/printing.js"], **shown)


@router.get("/contests/{identifier}/games")
def games(
    request: Request,
    identifier: str,
    bot: Annotated[list[str], Query(max_length=MOST_BOTS)] = [],  # noqa: B006, FastAPI copies it
    before: Annotated[int | None, Query(ge=0, le=LARGEST_NUMBER)] = None,
) -> Response:
    """The games, newest first: all of them, or those of one or two bots."""
    found = found_contest(request, identifier)
    bots = [name for name in dict.fromkeys(bot) if name][:MOST_BOTS]
    listed = found.served.newest([name[:LONGEST_NAME] for name in bots], before, PAGE + 1)
    return contest_page(
        request,
        "games",
        found,
        games=listed[:PAGE],
        bots=[*bots, *[""] * (MOST_BOTS - len(bots))],
        chosen=bots,
        count=found.served.store.how_many(bots),
        older=listed[PAGE - 1].number if len(listed) > PAGE else None,
        newest=before is None,
    )


@router.get("/contests/{identifier}/bots")
def bots(request: Request, identifier: str) -> Response:
    """The bots, as their authors describe them."""
    found = found_contest(request, identifier)
    return contest_page(request, "bots", found, **views.bots(found.report))


@router.get("/contests/{identifier}/bots/{number}")
def bot(request: Request, identifier: str, number: int) -> Response:
    """A bot: authors, results against each of the others, faults, latest games."""
    found = found_contest(request, identifier)
    entries = found.report.contest.bots
    if not 1 <= number <= len(entries):
        raise HTTPException(404, say("web.error.no_page", path=request.url.path))
    name = entries[number - 1].name
    shown = views.bot(found.report, name, readable_bots(request, found.served))
    games = found.served.newest([name], None, 10)
    return contest_page(request, "bot", found, title=name, games=games, **shown)


@router.get("/contests/{identifier}/faults")
def faults(request: Request, identifier: str) -> Response:
    """The faults of each bot, explained."""
    found = found_contest(request, identifier)
    shown = views.faults(found.report, readable_bots(request, found.served))
    return contest_page(request, "faults", found, **shown)


@router.get("/contests/{identifier}/rules")
def rules(request: Request, identifier: str) -> Response:
    """The rules of the contest."""
    found = found_contest(request, identifier)
    shown = views.rules(found.report)
    shown["drawings"] = f"/rules/{found.report.contest.game}/drawings.json"
    return contest_page(request, "rules", found, scripts=["js/rules.js"], **shown)


def contest_page(
    request: Request,
    name: str,
    found: FoundContest,
    *,
    title: str = "",
    scripts: Sequence[str] = (),
    **shown: Any,
) -> Response:
    """A section of a contest, under its head; `title` names what it is about, if not all of it."""
    report, snapshot = found.report, found.snapshot
    links = views.ServedLinks(found.address, report.numbers)
    templates = request.app.state.templates
    # Of the configuration in force: a seed is drawn without a game.
    seal = {"seal": shown_seal(found.served)}
    own = {"commands": is_organiser(request)} | shown | seal
    playing = snapshot.stage == PLAYING
    return page(
        request,
        "contest/layout.html",
        frame="base.html",
        title=f"{title} \N{MIDDLE DOT} {report.contest.name}" if title else report.contest.name,
        links=links,
        contest_tabs=[tab for tab in TABS if tab != "live" or playing or name == tab],
        current="bots" if name == "bot" else name,
        sections=[("", views.section(templates, name, report, links, **own))],
        scripts=[*scripts, *(["js/contest.js"] if playing or not report.whole else [])],
        private=not found.served.public,
        stage=snapshot.stage,
        time_left=duration(snapshot.seconds_left),
        wall=f"{found.address}/wall",
        stage_page=f"{found.address}/stage",
        progress=f"/api{found.address}/progress",
        chain=chain_text(found.served.store.last_link()),
        **(views.head(report) | seal),
    )
