"""What to play, and against whom: from here one comes to a table."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from joute.games import make
from joute.play.record import RecordError
from joute.servers.web.render import page
from joute.servers.web.security import Limiter, keep_visitor, visitor
from joute.servers.web.sites.home import BANNERS
from joute.servers.web.tables.answers import Refused
from joute.servers.web.tables.continuing import continued
from joute.servers.web.tables.menu import called, likely, menu, ordered
from joute.servers.web.tables.table import Table
from joute.servers.web.tables.tables import Full, Tables
from joute.speech.words import say

router = APIRouter(include_in_schema=False)

_LIMIT = Limiter(60, 60.0)  # tables opened from one address


@router.get("/play")
def games(request: Request) -> Response:
    """The games, and those that people play now."""
    tables: Tables = request.app.state.tables
    going = [tables.find(name) for name in tables.names()]
    return page(request, "play.html", games=BANNERS, going=[each for each in going if each])


@router.get("/play/{game}")
def lobby(request: Request, game: str) -> Response:
    """What can be chosen for a game; meanwhile, whoever may be chosen gets ready."""
    if menu(game):
        tables: Tables = request.app.state.tables
        tables.thinkers.want(make(game), likely(game))
    return _lobby(request, game)


def _lobby(
    request: Request, game: str, chosen: Mapping[str, str] | None = None, problem: str = ""
) -> Response:
    shown = menu(game)
    if shown is None:
        raise HTTPException(404, say("table.error.game", game=game[:40]))
    values = {"menu": shown, "chosen": chosen or request.query_params, "problem": problem}
    return page(request, "lobby.html", 422 if problem else 200, **values)


@router.post("/tables")
async def open_table(request: Request) -> Response:
    """A table as a form describes it: a new game, or one that goes on from a record."""
    _LIMIT.check(request)
    content = await request.form()
    form = {key: value for key, value in content.items() if isinstance(value, str)}
    tables: Tables = request.app.state.tables
    try:
        table = await run_in_threadpool(_opened, tables, form, visitor(request))
    except Full as refused:
        raise HTTPException(503, str(refused)) from None
    except (Refused, RecordError) as refused:
        if "game" not in form or menu(form["game"]) is None:
            raise HTTPException(422, str(refused)) from None
        return _lobby(request, form["game"], form, str(refused))
    response = RedirectResponse(f"/tables/{table.name}", 303)
    keep_visitor(request, response)
    return response


def _opened(tables: Tables, form: Mapping[str, str], person: str) -> Table:
    """Raises Refused or RecordError for what cannot be."""
    if "ply" in form:
        content = form.get("record", "").replace("\r\n", "\n").encode()
        if "table" in form:
            content = tables.record(form["table"]) or b""
        name = called(form.get("name", ""))
        spec, seat, before = continued(content, form["ply"], form.get("seat", "0"), name)
        return tables.open(spec, (seat,), person, before=before)
    order = ordered(form.get("game", ""), form)
    return tables.open(order.spec, order.own, person, order.speed)
