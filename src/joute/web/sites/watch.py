"""The pages for watching: games as they happen, the latest games, several at once as a wall.

Games happen in a contest that is being played, or on a tournament's server.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, FastAPI, HTTPException, Query, Request, WebSocket
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response

from joute.bots.levels import kept_levels
from joute.contest.config.default_names import LONGEST_NAME
from joute.contest.report.report import read_report
from joute.contest.report.wording import places
from joute.core.errors import GameError
from joute.core.interface import properties
from joute.core.registry import card, make, needed
from joute.core.registry import find as find_game
from joute.i18n.figures import plain
from joute.i18n.words import language, say
from joute.store.reading import Listed
from joute.text import free_name
from joute.web.broadcasts import Broadcasts, Watcher, send_news
from joute.web.contests.access import served_contest
from joute.web.contests.catalogue import Catalogue, ServedContest, identifier_of
from joute.web.contests.records_folder import RecordsFolder
from joute.web.contests.stage import KNOCKOUTS, brackets, teams
from joute.web.contests.views import ServedLinks
from joute.web.games import games_listed
from joute.web.organiser import is_organiser
from joute.web.pages import page
from joute.web.replays.recorded import title
from joute.web.sites.contest import LARGEST_NUMBER, contest_page, found_contest
from joute.web.tables.menu import PACES, OpponentLevel, opponents, others, watched_pair
from joute.web.updates import refuse

router = APIRouter(include_in_schema=False)

LATEST = 20  # games on the page
BOARDS = (1, 2, 4, 6, 8, 12)  # of a wall
USUAL = 6
GONE = 4404  # close code: connecting again is no use
PAGE = 50  # games of a list
MINUTES, MOST_MINUTES = 5, 60  # of a presentation


class LiveSource(NamedTuple):
    """A contest or a folder whose games can be watched as they happen."""

    name: str
    page: str  # its address
    broadcasts: Broadcasts


def prepare(app: FastAPI) -> None:
    """Opens the folders of records; `contest` has chosen them before."""
    folders: dict[str, RecordsFolder] = {}
    for path in app.state.records_paths:
        identifier = free_name(identifier_of(path.resolve().name), folders.__contains__, "-")
        folders[identifier] = RecordsFolder(identifier, path)
    app.state.records_folders = folders


def close(app: FastAPI) -> None:
    """Stops following games."""
    for records in app.state.records_folders.values():
        records.broadcasts.close()


def live_sources(request: Request) -> list[LiveSource]:
    """The contests and folders whose games are being played now."""
    catalogue: Catalogue = request.app.state.catalogue
    found = [_contest_source(served) for served in catalogue.seen(is_organiser(request))]
    found += [LiveSource(each.name, each.home, each.broadcasts) for each in folders(request)]
    return [each for each in found if each.broadcasts.count()]


def folders(request: HTTPConnection) -> list[RecordsFolder]:
    """The folders of records that are served."""
    return list(request.app.state.records_folders.values())


def _contest_source(served: ServedContest) -> LiveSource:
    return LiveSource(served.contest.name, f"/contests/{served.identifier}/live", served.broadcasts)


def _records_folder(connection: HTTPConnection, identifier: str) -> RecordsFolder:
    found: RecordsFolder | None = connection.app.state.records_folders.get(identifier)
    if found is None:
        raise HTTPException(404, say("web.error.no_records", name=identifier[:40]))
    return found


@router.get("/contests/{identifier}/live")
def of_contest(request: Request, identifier: str) -> Response:
    """The games that a contest is playing, ply by ply."""
    found = found_contest(request, identifier)
    return contest_page(request, "live", found, address=found.address, scripts=["js/live.js"])


@router.get("/records/{identifier}")
def of_records(
    request: Request,
    identifier: str,
    before: Annotated[int | None, Query(ge=0, le=LARGEST_NUMBER)] = None,
) -> Response:
    """The games that are being played into a folder, and those that lie there."""
    records = _records_folder(request, identifier)
    listed = records.newest(PAGE + 1, before)
    return page(
        request,
        "records.html",
        records=records,
        links=ServedLinks(records.home),
        games=listed[:PAGE],
        older=listed[PAGE - 1].number if len(listed) > PAGE else None,
        newest=before is None,
    )


@router.websocket("/contests/{identifier}/live/socket")
async def contest_socket(socket: WebSocket, identifier: str) -> None:
    """The games of a contest as they happen. The messages are described in docs/en/web-api.md."""
    await socket.accept()
    try:
        served = served_contest(socket, identifier)
    except HTTPException as refused:
        await refuse(socket, GONE, str(refused.detail))
        return
    await send_news(socket, Watcher(served.broadcasts, language(), f"/contests/{identifier}"))


@router.websocket("/records/{identifier}/live/socket")
async def records_socket(socket: WebSocket, identifier: str) -> None:
    """The games of a tournament's server as they happen."""
    await socket.accept()
    try:
        records = _records_folder(socket, identifier)
    except HTTPException as refused:
        await refuse(socket, GONE, str(refused.detail))
        return
    await send_news(socket, Watcher(records.broadcasts, language(), records.home))


class LatestGame(NamedTuple):
    """A game as the page lists it."""

    address: str
    title: str
    home: str  # of its contest
    contest: str
    result: str
    plies: int
    faults: int
    played_at: str


@router.get("/watch")
def watch(request: Request) -> Response:
    """The latest games of all contests."""
    return _page(request, "")


@router.get("/watch/{game}")
def watch_game(request: Request, game: str) -> Response:
    """The latest games of one kind."""
    if find_game(game) is None:
        raise HTTPException(404, say("web.error.no_page", path=request.url.path))
    return _page(request, game)


def _page(request: Request, game: str) -> Response:
    catalogue: Catalogue = request.app.state.catalogue
    visible = catalogue.seen(is_organiser(request))
    contests = [served for served in visible if game in ("", served.contest.game)]
    rows = [_row(served, each) for served in contests for each in served.newest(count=LATEST)]
    rows.sort(key=lambda row: row.played_at, reverse=True)
    walls = [(served.contest.name, f"/contests/{served.identifier}/wall") for served in contests]
    games = [game] if game else games_listed()
    values: dict[str, Any] = {
        "game": game,
        "shows": [_show(each, bool(game)) for each in games if _playable(each)],
        "paces": PACES,
        "rows": rows[:LATEST],
        "walls": walls,
        "live": [(each.name, each.page) for each in live_sources(request)],
    }
    return page(request, "watch.html", **values)


class Show(NamedTuple):
    """A game in which two built-in bots can be watched now."""

    game: str
    levels: list[OpponentLevel]  # none where to know them would take the time of compiling them
    others: list[str]  # more bots
    first: int = 0  # the levels that play unless others are chosen
    second: int = 0


def _playable(game: str) -> bool:
    """Whether a game of several can be made as it is."""
    try:
        return not needed(game) and properties(make(game)).players > 1
    except GameError:
        return False


def _show(game: str, alone: bool) -> Show:
    """A game of the page; `alone` if it is its only one."""
    if not alone and kept_levels(card(game)) is None:
        return Show(game, [], [])
    levels = opponents(game)
    return Show(game, levels, others(game) if alone else [], *watched_pair(len(levels)))


def _row(served: ServedContest, game: Listed) -> LatestGame:
    home = f"/contests/{served.identifier}"
    return LatestGame(
        address=f"{home}/games/{game.identity}",
        title=title(list(game.bots)),
        home=home,
        contest=served.contest.name,
        result=" \N{EN DASH} ".join(
            plain(each) for each in (game.points if any(game.points) else game.returns)
        ),
        plies=game.plies,
        faults=len(game.faults),
        played_at=game.played_at,
    )


@router.get("/contests/{contest}/wall")
def wall(request: Request, contest: str, boards: int = Query(USUAL, ge=1, le=12)) -> Response:
    """Several games of a contest at once."""
    served = served_contest(request, contest)
    values: dict[str, Any] = {
        "contest": served.contest.name,
        "home": f"/contests/{served.identifier}",
        "boards": boards,
        "choices": BOARDS,
    }
    return page(request, "wall.html", **values)


@router.get("/contests/{contest}/wall/games.json")
def wall_games(
    request: Request,
    contest: str,
    count: int = Query(USUAL, ge=1, le=12),
    bot: Annotated[str, Query(max_length=LONGEST_NAME)] = "",
) -> Response:
    """The latest games of a contest, or of a bot, the newest first: number, address, winners."""
    served = served_contest(request, contest)
    games = served.newest([bot] if bot else [], count=count)
    return JSONResponse([_shown(served, game) for game in games])


@router.get("/contests/{identifier}/stage")
def stage(
    request: Request,
    identifier: str,
    minutes: Annotated[int, Query(ge=1, le=MOST_MINUTES)] = MINUTES,
) -> Response:
    """The day of the final, for a projector: presentations with a timer, games, the bracket."""
    found = found_contest(request, identifier)
    report = found.report
    knockout = report.contest.format in KNOCKOUTS and bool(report.done)
    return page(
        request,
        "stage.html",
        contest=report.contest,
        home=found.address,
        teams=teams(report.contest),
        brackets=brackets(read_report(found.served.contest)) if knockout else [],
        table=[line for line in report.table if not line.disqualified] if report.done else [],
        places=places(report.contest, report.table),
        minutes=minutes,
    )


def _shown(served: ServedContest, game: Listed) -> dict[str, Any]:
    best = max(game.returns)
    return {
        "number": game.number,
        "address": f"/contests/{served.identifier}/games/{game.identity}",
        "won": [seat for seat, value in enumerate(game.returns) if value == best]
        if min(game.returns) < best
        else [],
    }
