"""Replays: the pages of recorded games, what they load, and the same game as one file.

A game has an address PAGE, whatever its record is from; below it are game.json, curve.json,
explained.json, record.jsonl and alone.html; /embed/PAGE is a page that others may show within
theirs. A form sent to PAGE/table opens a table where the game goes on.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, FastAPI, Form, HTTPException, Request, UploadFile
from fastapi.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse, Response

from joute.core.interface import properties
from joute.i18n.figures import figure
from joute.i18n.words import say
from joute.play.advice import NothingToExplainError
from joute.web.compute_queue import ComputeQueue
from joute.web.errors import RequestRefusal
from joute.web.middleware import EMBEDDED
from joute.web.pages import page
from joute.web.positions import redacted
from joute.web.rate_limits import address_of, limits_of
from joute.web.replays.analysis import Evaluator, Explainer, value_curve
from joute.web.replays.recorded import Recorded, kind, sent, title, verified
from joute.web.replays.single_file import game_page
from joute.web.replays.sources import (
    FoundRecord,
    UploadedRecords,
    made,
    of_contest,
    of_file,
    of_records,
    of_table,
    read,
)
from joute.web.security import keep_visitor, settings_of, visitor
from joute.web.tables.menu import continued
from joute.web.tables.tables import Full, Tables

router = APIRouter(include_in_schema=False)

Finder = Callable[[Request], FoundRecord]

PLACES: dict[str, Finder] = {
    "/contests/{contest}/games/{identity}": of_contest,
    "/records/{contest}/games/{identity}": of_records,
    "/tables/{identity}/replay": of_table,
    "/replays/{identity}": of_file,
}
"""The addresses of pages, and who finds the record of each."""

LARGEST = 8 * 1024 * 1024  # bytes of a record that is sent
VARIES = {"Vary": "Accept-Language, Cookie"}
THINKING, AGAIN = 202, {"Retry-After": "1"}  # seconds


def prepare(app: FastAPI) -> None:
    """Makes what all replays share."""
    app.state.replay_files = UploadedRecords()
    app.state.compute_queue = ComputeQueue()
    app.state.evaluator = Evaluator()
    app.state.explainer = Explainer(app.state.tables.thinkers)


def close(app: FastAPI) -> None:
    """Stops evaluating games."""
    app.state.compute_queue.close()
    app.state.evaluator.close()


@router.post("/replays")
async def take(request: Request, record: UploadFile | None = None) -> Response:
    """Shows an uploaded record, or an error where it is not true."""
    limits_of(request).take(request, "records")
    if record is None or not record.filename:
        raise HTTPException(422, say("replay.web.empty"))
    content = await record.read(LARGEST + 1)
    name = record.filename[-80:]
    if len(content) > LARGEST:
        size, most = figure((record.size or 0) / 2**20, 1), LARGEST // 2**20
        raise HTTPException(413, say("replay.web.large", file=name, size=size, most=most))
    await read(request, FoundRecord(content, name))
    files: UploadedRecords = request.app.state.replay_files
    chain = await run_in_threadpool(files.keep, content, name, address_of(request))
    return RedirectResponse(f"/replays/{chain}", 303)


def _add(address: str, find: Finder) -> None:
    """Adds the addresses of one kind of place."""

    async def shown(request: Request) -> Response:
        found = await run_in_threadpool(find, request)
        return page(request, "replay.html", **await _values(request, found))

    async def embedded(request: Request) -> Response:
        found = await run_in_threadpool(find, request)
        return page(request, "embed.html", **await _values(request, found))

    async def data(request: Request) -> Response:
        return await positions(request, await run_in_threadpool(find, request))

    async def curve(request: Request) -> Response:
        recorded = await read(request, await run_in_threadpool(find, request))
        evaluator: Evaluator = request.app.state.evaluator
        if not evaluator.knows(recorded) and not limits_of(request).allows(request, "judging"):
            return Response(status_code=204)  # the curve of points stays
        values = evaluator.of(recorded)
        if values is None:
            return Response(status_code=204)
        found = value_curve(values, recorded) if values.done else None
        return _json({"curve": found, "done": values.done})

    async def explained(request: Request, at: int = 0) -> Response:
        recorded = await read(request, await run_in_threadpool(find, request))
        if not 0 <= at < len(recorded.steps):
            raise HTTPException(
                404, say("replay.web.no_position", at=at, last=len(recorded.steps) - 1)
            )
        if recorded.steps[at].mover < 0:
            return Response(status_code=204)
        explainer: Explainer = request.app.state.explainer
        limits_of(request).take(request, "explaining")
        try:
            told = await run_in_threadpool(explainer.of, recorded, recorded.steps[at])
        except NothingToExplainError as error:
            raise HTTPException(404, str(error)) from None
        return Response(status_code=THINKING, headers=AGAIN) if told is None else _json(told)

    def record(request: Request) -> Response:
        found = find(request)
        return _saved(found.download, "application/jsonl", _name(found, "jsonl"))

    async def alone(request: Request) -> Response:
        found = await run_in_threadpool(find, request)

        def make(recorded: Recorded) -> bytes:
            return game_page(recorded, found.name, found.known, found.own).encode()

        text = await made(request, found, "page", make)
        response = _saved(text, "text/html; charset=utf-8", _name(found, "html"))
        return packed(request, response)

    async def table(
        request: Request, ply: Annotated[str, Form()], seat: Annotated[str, Form()] = "0"
    ) -> Response:
        limits_of(request).take(request, "tables")
        found = await run_in_threadpool(find, request)
        recorded = await read(request, found)
        return await run_in_threadpool(_at_table, request, found, recorded, ply, seat)

    router.add_api_route(address, shown)
    router.add_api_route(f"{address}/table", table, methods=["POST"])
    router.add_api_route(f"{EMBEDDED.rstrip('/')}{address}", embedded)
    for name, answer in (
        ("game.json", data),
        ("curve.json", curve),
        ("explained.json", explained),
        ("record.jsonl", record),
        ("alone.html", alone),
    ):
        router.add_api_route(f"{address}/{name}", answer)


for _address, _find in PLACES.items():
    _add(_address, _find)


def _at_table(
    request: Request, found: FoundRecord, recorded: Recorded, ply: str, seat: str
) -> Response:
    """Opens a table where the game goes on from a ply, with the reader at a seat."""
    tables: Tables = request.app.state.tables
    try:
        spec, own, before = continued(recorded.record, ply, seat)
        before = [redacted(line, recorded.names, found.known) for line in before]
        address = address_of(request)
        opened = tables.open(spec, (own,), visitor(request), before=before, address=address)
    except Full as refused:
        raise HTTPException(refused.status, str(refused)) from None
    except RequestRefusal as refused:
        raise HTTPException(422, str(refused)) from None
    response = RedirectResponse(f"/tables/{opened.name}", 303)
    keep_visitor(request, response)
    return response


async def _values(request: Request, found: FoundRecord) -> dict[str, Any]:
    """The values of a game's page before its scripts have loaded the rest."""
    recorded = await read(request, found)
    address = request.url.path.removeprefix(EMBEDDED.rstrip("/"))
    game = properties(recorded.game)
    return {
        "found": found,
        "address": address,
        "embedded": f"{_site(request)}{EMBEDDED.rstrip('/')}{address}",
        "title": title(recorded.names),
        "verified": verified(recorded.record),
        "game": kind(recorded.game),
        "found_game": game.name,
        "names": recorded.names,
        "judged": game.players == 2 and not game.hidden_information,
    }


def _site(request: Request) -> str:
    """The address of this server, as its readers have it."""
    scheme = "https" if settings_of(request).https else request.url.scheme
    return f"{scheme}://{request.url.netloc}"


async def positions(request: Request, found: FoundRecord) -> Response:
    """A game ply by ply, as its page and programs are sent it."""

    def make(recorded: Recorded) -> bytes:
        return msgspec.json.encode(sent(recorded, found.name, found.known, found.own))

    text = await made(request, found, "positions", make)
    response = Response(text, media_type="application/json", headers=VARIES)
    return packed(request, response)


def packed(request: Request, response: Response) -> Response:
    """An answer whose content is gzip-compressed: for browsers that can unpack it as it is."""
    response.headers["Vary"] = "Accept-Encoding, Accept-Language, Cookie"
    if "gzip" in request.headers.get("accept-encoding", ""):
        response.headers["Content-Encoding"] = "gzip"
        return response
    plain = gzip.decompress(bytes(response.body))
    headers = {key: value for key, value in response.headers.items() if key != "content-length"}
    return Response(plain, headers=headers)


def _json(data: Any) -> Response:
    return Response(msgspec.json.encode(data), media_type="application/json", headers=VARIES)


def _saved(content: bytes, kind: str, name: str) -> Response:
    """An answer that the browser saves as a file."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=headers)


def _name(found: FoundRecord, suffix: str) -> str:
    stem = found.name.replace("\\", "/").rpartition("/")[2].removesuffix(".jsonl")
    return f"{re.sub(r'[^A-Za-z0-9._-]', '_', stem) or 'game'}.{suffix}"
