"""The home page, and the static files."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from joute.web.games import games_listed
from joute.web.render import page
from joute.web.sites.contest import overviews
from joute.web.static_files import StaticFiles

router = APIRouter(include_in_schema=False)


@router.get("/")
def home(request: Request) -> Response:
    """The games, and the contests."""
    return page(request, "home.html", games=games_listed(), contests=overviews(request))


@router.get("/static/{version}/{path:path}")
def static(request: Request, version: str, path: str) -> Response:
    """A static file."""
    files: StaticFiles = request.app.state.static
    return files.response(version, path)
