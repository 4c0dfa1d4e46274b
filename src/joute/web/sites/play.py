"""What to play, and against whom: from here one comes to a table."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import APIRouter, HTTPException, Request
from fastapi.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from joute.core.registry import make
from joute.i18n.words import say
from joute.web.limits import address_of, limits_of
from joute.web.render import page
from joute.web.replaying.places import Found, read
from joute.web.replaying.recorded import Recorded
from joute.web.security import keep_visitor, visitor
from joute.web.sites.home import BANNERS
from joute.web.tables.answers import Refused
from joute.web.tables.menu import called, continued, likely, menu, ordered
from joute.web.tables.table import Table
from joute.web.tables.tables import Full, Tables

router = APIRouter(include_in_schema=False)


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
    limits_of(request).take(request, "tables")
    content = await request.form()
    form = {key: value for key, value in content.items() if isinstance(value, str)}
    recorded = await _recorded(request, form) if "ply" in form else None
    try:
        table = await run_in_threadpool(_opened, request, form, recorded)
    except Full as refused:
        raise HTTPException(refused.status, str(refused)) from None
    except Refused as refused:
        if "game" not in form or menu(form["game"]) is None:
            raise HTTPException(422, str(refused)) from None
        return _lobby(request, form["game"], form, str(refused))
    response = RedirectResponse(f"/tables/{table.name}", 303)
    keep_visitor(request, response)
    return response


async def _recorded(request: Request, form: Mapping[str, str]) -> Recorded:
    """The game that a form wants to go on with. Raises HTTPException 422 if it is not true."""
    tables: Tables = request.app.state.tables
    content = form.get("record", "").replace("\r\n", "\n").encode()
    if "table" in form:
        content = tables.record(form["table"]) or b""
    return await read(request, Found(content, form.get("table", "")[:40]))


def _opened(request: Request, form: Mapping[str, str], recorded: Recorded | None) -> Table:
    """Raises Refused for what cannot be."""
    tables: Tables = request.app.state.tables
    person, address = visitor(request), address_of(request)
    if recorded is not None:
        name = called(form.get("name", ""))
        spec, seat, before = continued(recorded.record, form["ply"], form.get("seat", "0"), name)
        return tables.open(spec, (seat,), person, before=before, address=address)
    order = ordered(form.get("game", ""), form)
    return tables.open(order.spec, order.own, person, order.speed, address=address)
