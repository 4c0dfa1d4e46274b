"""Recorded games for programs: positions, marks and clocks as the page of a replay has them."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from joute.servers.web.replaying.places import of_contest, read
from joute.servers.web.replaying.recorded import sent
from joute.servers.web.sites.api import REFUSED, Contest, Identity

router = APIRouter(prefix="/api", tags=["contests"], responses=REFUSED)


@router.get("/contests/{contest}/games/{identity}/positions")
def positions(request: Request, contest: Contest, identity: Identity) -> dict[str, Any]:
    """A game ply by ply: what each seat sees, what was said, marks, clocks, who was ahead."""
    found = of_contest(request)
    return sent(read(found), found.name, found.known)
