"""The rules of games: a page for each, and the positions that it draws."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import RedirectResponse, Response

from joute.core.errors import GameError
from joute.core.registry import find
from joute.i18n.words import say
from joute.web.pages import page
from joute.web.rulebooks import drawings

router = APIRouter(include_in_schema=False)


@router.get("/rules")
def games() -> Response:
    """The games, each with its rules in its lobby."""
    return RedirectResponse("/play", 303)


@router.get("/rules/{game}")
def rules(request: Request, game: str) -> Response:
    """The rules of a game on a page of their own; `rules.js` shows them over other pages too."""
    _known(game)
    try:
        return page(request, "rules.html", game=game)
    except GameError as error:
        raise HTTPException(422, str(error)) from None


@router.get("/rules/{game}/drawings.json")
def drawn(game: str) -> dict[str, object]:
    """The positions of the drawings, by name."""
    _known(game)
    return dict(drawings(game))


def _known(game: str) -> None:
    if find(game) is None:
        raise HTTPException(404, say("table.error.game", game=game[:40]))
