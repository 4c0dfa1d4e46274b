"""What there is to watch: the latest games of the served contests, several at once as a wall."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastapi import APIRouter, HTTPException, Query, Request
from starlette.responses import JSONResponse, Response

from joute.core.registry import find
from joute.i18n.figures import plain
from joute.i18n.words import say
from joute.store.reading import Listed
from joute.web.contests.catalogue import Catalogue, ServedContest
from joute.web.render import page
from joute.web.replaying.places import served_contest
from joute.web.replaying.recorded import title
from joute.web.security import is_organiser
from joute.web.sites.live import places

router = APIRouter(include_in_schema=False)

LATEST = 20  # games on the page
BOARDS = (1, 2, 4, 6, 8, 12)  # of a wall
USUAL = 6


class Row(NamedTuple):
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
    if find(game) is None:
        raise HTTPException(404, say("web.error.no_page", path=request.url.path))
    return _page(request, game)


def _page(request: Request, game: str) -> Response:
    catalogue: Catalogue = request.app.state.catalogue
    visible = catalogue.seen(is_organiser(request))
    contests = [served for served in visible if game in ("", served.contest.game)]
    rows = [_row(served, each) for served in contests for each in served.newest(count=LATEST)]
    rows.sort(key=lambda row: row.played_at, reverse=True)
    walls = [(served.contest.name, f"/contests/{served.identifier}/wall") for served in contests]
    live = [(place.name, place.page) for place in places(request)]
    return page(request, "watch.html", game=game, rows=rows[:LATEST], walls=walls, live=live)


def _row(served: ServedContest, game: Listed) -> Row:
    home = f"/contests/{served.identifier}"
    return Row(
        address=f"{home}/games/{game.identity}",
        title=title(list(game.bots)),
        home=home,
        contest=served.contest.name,
        result=" \N{EN DASH} ".join(plain(points) for points in game.points),
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
def wall_games(request: Request, contest: str, count: int = Query(USUAL, ge=1, le=12)) -> Response:
    """The latest games of a contest, the newest first: number, address, names, winners."""
    served = served_contest(request, contest)
    return JSONResponse([_shown(served, game) for game in served.newest(count=count)])


def _shown(served: ServedContest, game: Listed) -> dict[str, Any]:
    best = max(game.returns)
    return {
        "number": game.number,
        "address": f"/contests/{served.identifier}/games/{game.identity}",
        "won": [seat for seat, value in enumerate(game.returns) if value == best]
        if min(game.returns) < best
        else [],
    }
