"""The tables: the page of a game that people play, and its connection."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, FastAPI, HTTPException, Request, WebSocket
from starlette.responses import RedirectResponse, Response

from joute.i18n.words import language, say
from joute.web.games import web_of
from joute.web.limits import limits_of
from joute.web.render import page
from joute.web.security import visitor
from joute.web.settings import Settings
from joute.web.tables.answers import Refused
from joute.web.tables.menu import called
from joute.web.tables.receiver import Receiver, since_of
from joute.web.tables.socket import Connection
from joute.web.tables.table import Table
from joute.web.tables.tables import Tables
from joute.web.tables.thinkers import Thinkers

router = APIRouter(include_in_schema=False)

NO_TABLE = 4404  # close code: the table is gone, and connecting again is no use


def prepare(app: FastAPI) -> None:
    """The tables of this server."""
    settings: Settings = app.state.settings
    app.state.tables = Tables(thinkers=Thinkers(preparing=settings.prepare))


def close(app: FastAPI) -> None:
    """Nobody plays on."""
    app.state.tables.close()


def _tables(connection: Request | WebSocket) -> Tables:
    tables: Tables = connection.app.state.tables
    return tables


def _table(request: Request, name: str) -> Table:
    table = _tables(request).find(name)
    if table is None:
        raise HTTPException(404, say("table.error.gone"))
    return table


@router.get("/tables/{name}")
def table_page(request: Request, name: str) -> Response:
    """The page of a table; of one that was cleared away, the replay of its game."""
    tables = _tables(request)
    if tables.find(name) is None and tables.record(name) is not None:
        return RedirectResponse(f"/tables/{name}/replay", 303)
    table = _table(request, name)
    own = table.seats_of(visitor(request))
    links = [
        {"name": table.names[seat], "address": f"/tables/{name}#seat={chair.key}"}
        for seat, chair in table.chairs.items()
        if own and not chair.visitor
    ]
    wide = web_of(table.spec.game).wide
    return page(request, "table.html", table=table, own=own, links=links, wide=wide)


@router.post("/tables/{name}/seat")
def sit(
    request: Request,
    name: str,
    key: Annotated[str, Body(max_length=100)],
    person: Annotated[str, Body(max_length=200)] = "",
) -> dict[str, int]:
    """The browser takes the seat of a link."""
    limits_of(request).take(request, "seats")
    try:
        return {"seat": _table(request, name).sit(key, visitor(request), called(person))}
    except Refused as refused:
        raise HTTPException(403, str(refused)) from None


@router.get("/tables/{name}/record")
def record(request: Request, name: str) -> Response:
    """The record of a game that is over."""
    content = _tables(request).record(name)
    if content is None:
        raise HTTPException(404, say("table.error.no_record"))
    headers = {"Content-Disposition": f'attachment; filename="joute-{name}.jsonl"'}
    return Response(content, media_type="application/jsonl", headers=headers)


@router.websocket("/tables/{name}/socket")
async def connection(socket: WebSocket, name: str, since: str = "") -> None:
    """Play, or watch. The messages are described in docs/web-api.md."""
    tables = _tables(socket)
    table = tables.find(name)
    await socket.accept()
    if table is None:
        await socket.close(NO_TABLE, say("table.error.gone"))
        return
    seats = table.seats_of(visitor(socket))
    receiver = Receiver(table, seats, language(), since_of(since))
    await Connection(socket, tables, table, receiver).serve()
