"""The pages where people play: the games, the lobby of a game, and the tables."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Body, FastAPI, HTTPException, Request, WebSocket
from fastapi.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from joute.bots.levels import kept_levels
from joute.core.errors import GameError
from joute.core.registry import card, find, make, needed
from joute.i18n.words import language, say
from joute.play.advice import adviser
from joute.play.thinkers import Thinkers
from joute.web.errors import RequestRefusal
from joute.web.games import games_listed, web_of
from joute.web.pages import page
from joute.web.rate_limits import address_of, limits_of
from joute.web.replays.recorded import Recorded
from joute.web.replays.sources import FoundRecord, read, table_file
from joute.web.security import keep_visitor, visitor
from joute.web.settings import Settings
from joute.web.tables.connection import Connection
from joute.web.tables.menu import (
    CLOCKS,
    PACES,
    called,
    continued,
    likely,
    menu,
    opponents,
    ordered,
    usual_level,
)
from joute.web.tables.receiver import Receiver, since_of
from joute.web.tables.table import Table
from joute.web.tables.tables import Full, Tables
from joute.web.updates import TRY_AGAIN, refuse

router = APIRouter(include_in_schema=False)

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")  # of a server that nobody else can reach
NO_TABLE = 4404  # close code: the table is gone, and connecting again is no use


def prepare(app: FastAPI) -> None:
    """Makes the tables of this server."""
    settings: Settings = app.state.settings
    folder = settings.data / "tables" if settings.data else None
    app.state.tables = Tables(thinkers=Thinkers(preparing=settings.prepare), folder=folder)


def start(app: FastAPI) -> None:
    """Begins to compile what people will most likely play against."""
    if app.state.settings.prepare:
        threading.Thread(target=_prepare_all, args=(app.state.tables,), daemon=True).start()


def _prepare_all(tables: Tables) -> None:
    """Has the levels of all games compiled, those first that will most likely be chosen."""
    for game in games_listed():
        with suppress(GameError):
            if kept_levels(card(game)):
                rules = make(game)
                tables.thinkers.want_later(rules, [*likely(game), *filter(None, [adviser(rules)])])


def close(app: FastAPI) -> None:
    """Closes all tables."""
    app.state.tables.close()


def _tables(connection: Request | WebSocket) -> Tables:
    tables: Tables = connection.app.state.tables
    return tables


def _found(request: Request, name: str) -> Table | None:
    """The table of that name. Raises HTTPException 503 if there is no room to take it up again."""
    try:
        return _tables(request).find(name)
    except Full as full:
        raise HTTPException(full.status, str(full), {"Retry-After": "60"}) from None


def _table(request: Request, name: str) -> Table:
    table = _found(request, name)
    if table is None:
        raise HTTPException(404, say("table.error.gone"))
    return table


@router.get("/play")
def games(request: Request) -> Response:
    """The games, and those that people play now."""
    tables = _tables(request)
    awake = tables.awake()
    going = [table for table in awake if table.begun]
    values: dict[str, Any] = {"games": games_listed(), "going": going, "waiting": waiting(awake)}
    return page(request, "play.html", **values)


def waiting(tables: Sequence[Table], game: str = "") -> list[Table]:
    """The tables at which anybody may take a seat, and whose people are there."""
    shown = [each for each in tables if each.terms.listed and not each.begun and each.watchers]
    return [each for each in shown if game in ("", each.facts.name)]


@router.get("/play/waiting")
def waiting_now(request: Request, game: str = "") -> Response:
    """The part of a page that lists the tables where anybody may take a seat."""
    return page(request, "waiting.html", waiting=waiting(_tables(request).awake(), game))


@router.get("/play/{game}")
def lobby(request: Request, game: str) -> Response:
    """The lobby of a game; meanwhile, the bots that may be chosen are compiled."""
    if find(game) and not needed(game):
        with suppress(GameError):  # the lobby says what is wrong
            _tables(request).thinkers.want(make(game), likely(game))
    return _lobby(request, game)


def _lobby(
    request: Request, game: str, chosen: Mapping[str, str] | None = None, problem: str = ""
) -> Response:
    try:
        shown = menu(game)
    except GameError as error:
        lacking = {"game": game, "problem": str(error), "needed": needed(game)}
        return page(request, "needed.html", 422 if problem else 200, **lacking)
    if shown is None:
        raise HTTPException(404, say("table.error.game", game=game[:40]))
    values: dict[str, Any] = {
        "menu": shown,
        "levels": opponents(game),
        "usual_level": usual_level(len(shown.levels)),
        "clocks": CLOCKS,
        "waiting": waiting(_tables(request).awake(), game),
        "chosen": chosen or request.query_params,
        "problem": problem,
    }
    return page(request, "lobby.html", 422 if problem else 200, **values)


@router.post("/tables")
async def open_table(request: Request) -> Response:
    """Opens a table as a form describes it: a new game, or one taken up from a record."""
    limits_of(request).take(request, "tables")
    content = await request.form()
    form = {key: value for key, value in content.items() if isinstance(value, str)}
    recorded = await _recorded(request, form) if "ply" in form else None
    try:
        table = await run_in_threadpool(_opened, request, form, recorded)
    except Full as refused:
        raise HTTPException(refused.status, str(refused)) from None
    except RequestRefusal as refused:
        if "game" not in form or find(form["game"]) is None:
            raise HTTPException(422, str(refused)) from None
        return _lobby(request, form["game"], form, str(refused))
    response = RedirectResponse(f"/tables/{table.name}", 303)
    keep_visitor(request, response)
    return response


async def _recorded(request: Request, form: Mapping[str, str]) -> Recorded:
    """The recorded game that a form takes up. Raises HTTPException 422 if it is not true."""
    content = form.get("record", "").replace("\r\n", "\n").encode()
    if "table" in form:
        content = _tables(request).record(form["table"]) or b""
    return await read(request, FoundRecord(content, form.get("table", "")[:40]))


def _opened(request: Request, form: Mapping[str, str], recorded: Recorded | None) -> Table:
    """Raises RequestRefusal for what cannot be."""
    tables = _tables(request)
    person, address = visitor(request), address_of(request)
    if recorded is not None:
        name = called(form.get("name", ""))
        spec, seat, before = continued(recorded.record, form["ply"], form.get("seat", "0"), name)
        return tables.open(spec, (seat,), person, before=before, address=address)
    order = ordered(form.get("game", ""), form)
    terms: dict[str, Any] = {"clock": order.clock, "listed": order.listed, "pace": order.pace}
    return tables.open(order.spec, order.own, person, order.speed, address=address, **terms)


@router.get("/tables/{name}")
def table_page(request: Request, name: str) -> Response:
    """The page of a table; if the table is gone, the replay of its game."""
    tables = _tables(request)
    table = _found(request, name)
    if table is None and tables.record(name) is not None:
        return RedirectResponse(f"/tables/{name}/replay", 303)
    if table is None and (lost := tables.lost(name)):
        return page(request, "lost.html", 410, name=name, lost=lost)
    if table is None:
        raise HTTPException(404, say("table.error.gone"))
    own = table.seats_of(visitor(request))
    links = [
        {"name": table.names[seat], "address": f"/tables/{name}#seat={chair.key}"}
        for seat, chair in table.chairs.items()
        if own and not chair.visitor
    ]
    wide = web_of(table.spec.game).wide
    local = request.url.hostname in LOOPBACK_NAMES
    values: dict[str, Any] = {
        "table": table,
        "own": own,
        "links": links,
        "wide": wide,
        "local": local,
    }
    return page(request, "table.html", **values, paces=PACES)


@router.post("/tables/{name}/seat")
def sit(
    request: Request,
    name: str,
    key: Annotated[str, Body(max_length=100)],
    person: Annotated[str, Body(max_length=200)] = "",
) -> dict[str, int]:
    """Gives the browser the seat of a link."""
    limits_of(request).take(request, "seats")
    try:
        return {"seat": _table(request, name).sit(key, visitor(request), called(person))}
    except RequestRefusal as refused:
        raise HTTPException(403, str(refused)) from None


@router.get("/tables/{name}/record")
def record(request: Request, name: str) -> Response:
    """The record of a game that is over."""
    content = _tables(request).record(name)
    if content is None:
        raise HTTPException(404, say("table.error.no_record"))
    headers = {"Content-Disposition": f'attachment; filename="{table_file(name)}"'}
    return Response(content, media_type="application/jsonl", headers=headers)


@router.get("/tables/{name}/played")
def played(request: Request, name: str) -> Response:
    """The game of a table that cannot go on, as far as it was played."""
    lost = _tables(request).lost(name)
    if lost is None:
        raise HTTPException(404, say("table.error.no_record"))
    headers = {"Content-Disposition": f'attachment; filename="joute-{name}-unfinished.jsonl"'}
    return Response(lost.played, media_type="application/jsonl", headers=headers)


@router.websocket("/tables/{name}/socket")
async def connection(socket: WebSocket, name: str, since: str = "") -> None:
    """A player's or watcher's connection. The messages are described in docs/en/web-api.md."""
    tables = _tables(socket)
    await socket.accept()
    try:
        table = await run_in_threadpool(tables.find, name)
    except Full as full:
        await refuse(socket, TRY_AGAIN, str(full))
        return
    if table is None:
        await refuse(socket, NO_TABLE, say("table.error.gone"))
        return
    person = visitor(socket)
    receiver = Receiver(table, table.seats_of(person), language(), since_of(since), person)
    await Connection(socket, tables, table, receiver).serve()
