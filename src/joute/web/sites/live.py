"""Games as they happen: those of a contest that is being played, of a tournament's server."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from fastapi import APIRouter, FastAPI, HTTPException, Query, Request, WebSocket
from starlette.requests import HTTPConnection
from starlette.responses import Response

from joute.i18n.words import language, say
from joute.naming import free_name
from joute.web.contests.album import Album
from joute.web.contests.shelf import Kept, Shelf, identifier_of
from joute.web.contests.views import ServedLinks
from joute.web.live.hall import Hall
from joute.web.live.socket import Watcher, watch
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
    hall: Hall


def prepare(app: FastAPI) -> None:
    """Opens the folders of records; `contest` has chosen them before."""
    albums: dict[str, Album] = {}
    for folder in app.state.album_folders:
        identifier = free_name(identifier_of(folder.resolve().name), albums.__contains__, "-")
        albums[identifier] = Album(identifier, folder)
    app.state.albums = albums


def close(app: FastAPI) -> None:
    """Nobody watches any more."""
    for album in app.state.albums.values():
        album.hall.close()


def places(request: Request) -> list[Place]:
    """Where games are being played now."""
    shelf: Shelf = request.app.state.shelf
    found = [_contest_place(kept) for kept in shelf.seen(is_organiser(request))]
    found += [Place(album.name, album.home, album.hall) for album in albums(request)]
    return [place for place in found if place.hall.count()]


def albums(request: HTTPConnection) -> list[Album]:
    """The folders of records that are served."""
    return list(request.app.state.albums.values())


def _contest_place(kept: Kept) -> Place:
    return Place(kept.contest.name, f"/contests/{kept.identifier}/live", kept.hall)


def _album(connection: HTTPConnection, identifier: str) -> Album:
    found: Album | None = connection.app.state.albums.get(identifier)
    if found is None:
        raise HTTPException(404, say("web.error.no_records", name=identifier[:40]))
    return found


@router.get("/contests/{identifier}/live")
def of_contest(request: Request, identifier: str) -> Response:
    """The games that a contest is playing, ply by ply."""
    found = found_contest(request, identifier)
    return contest_page(request, "live", found, address=found.address, scripts=["js/live.js"])


@router.get("/records/{identifier}")
def of_album(
    request: Request,
    identifier: str,
    before: Annotated[int | None, Query(ge=0, le=LARGEST_NUMBER)] = None,
) -> Response:
    """The games that are being played into a folder, and those that lie there."""
    album = _album(request, identifier)
    listed = album.newest(PAGE + 1, before)
    return page(
        request,
        "records.html",
        album=album,
        links=ServedLinks(album.home),
        games=listed[:PAGE],
        older=listed[PAGE - 1].number if len(listed) > PAGE else None,
        newest=before is None,
    )


@router.websocket("/contests/{identifier}/live/socket")
async def contest_socket(socket: WebSocket, identifier: str) -> None:
    """Watch a contest. The messages are described in docs/web-api.md."""
    await socket.accept()
    try:
        kept = find(socket, identifier)
    except HTTPException as refused:
        await socket.close(GONE, str(refused.detail)[:100])
        return
    await watch(socket, Watcher(kept.hall, language(), f"/contests/{identifier}"))


@router.websocket("/records/{identifier}/live/socket")
async def album_socket(socket: WebSocket, identifier: str) -> None:
    """Watch a tournament's server."""
    await socket.accept()
    try:
        album = _album(socket, identifier)
    except HTTPException as refused:
        await socket.close(GONE, str(refused.detail)[:100])
        return
    await watch(socket, Watcher(album.hall, language(), album.home))
