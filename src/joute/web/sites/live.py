"""Games as they happen: those of a contest that is being played, of a tournament's server."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from fastapi import APIRouter, FastAPI, HTTPException, Query, Request, WebSocket
from starlette.requests import HTTPConnection
from starlette.responses import Response

from joute.i18n.words import language, say
from joute.text import free_name
from joute.web.contests.catalogue import Catalogue, ServedContest, identifier_of
from joute.web.contests.records_folder import RecordsFolder
from joute.web.contests.views import ServedLinks
from joute.web.live.broadcasts import Broadcasts
from joute.web.live.watching import Watcher, watch
from joute.web.render import page
from joute.web.security import is_organiser
from joute.web.sites.contest import LARGEST_NUMBER, contest_page, find, found_contest

router = APIRouter(include_in_schema=False)

GONE = 4404  # close code: connecting again is no use
PAGE = 50  # games of a list


class Place(NamedTuple):
    """Somewhere games can be watched."""

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
    """Nobody watches any more."""
    for records in app.state.records_folders.values():
        records.broadcasts.close()


def places(request: Request) -> list[Place]:
    """Where games are being played now."""
    catalogue: Catalogue = request.app.state.catalogue
    found = [_contest_place(served) for served in catalogue.seen(is_organiser(request))]
    found += [Place(each.name, each.home, each.broadcasts) for each in folders(request)]
    return [place for place in found if place.broadcasts.count()]


def folders(request: HTTPConnection) -> list[RecordsFolder]:
    """The folders of records that are served."""
    return list(request.app.state.records_folders.values())


def _contest_place(served: ServedContest) -> Place:
    return Place(served.contest.name, f"/contests/{served.identifier}/live", served.broadcasts)


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
    """Watch a contest. The messages are described in docs/web-api.md."""
    await socket.accept()
    try:
        served = find(socket, identifier)
    except HTTPException as refused:
        await socket.close(GONE, str(refused.detail)[:100])
        return
    await watch(socket, Watcher(served.broadcasts, language(), f"/contests/{identifier}"))


@router.websocket("/records/{identifier}/live/socket")
async def records_socket(socket: WebSocket, identifier: str) -> None:
    """Watch a tournament's server."""
    await socket.accept()
    try:
        records = _records_folder(socket, identifier)
    except HTTPException as refused:
        await socket.close(GONE, str(refused.detail)[:100])
        return
    await watch(socket, Watcher(records.broadcasts, language(), records.home))
