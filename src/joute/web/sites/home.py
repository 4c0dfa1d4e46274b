"""The home page, and the static files."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import Response

from joute.core.registry import cards
from joute.web.games import in_order
from joute.web.render import page
from joute.web.security import settings_of
from joute.web.sites.contest import overviews
from joute.web.static_files import StaticFiles

router = APIRouter(include_in_schema=False)


def games_listed(request: Request) -> list[str]:
    """The games of this server's lists, in their order: those installed, and those it was given."""
    return in_order({*(card.name for card in cards()), *settings_of(request).games})


@router.get("/")
def home(request: Request) -> Response:
    """The games, and the contests."""
    return page(request, "home.html", games=games_listed(request), contests=overviews(request))


@router.get("/static/{version}/{path:path}")
def static(request: Request, version: str, path: str) -> Response:
    """A static file."""
    files: StaticFiles = request.app.state.static
    return files.response(version, path)
