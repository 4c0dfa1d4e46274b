"""Recorded games for programs: positions, marks and clocks as the page of a replay has them."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from starlette.responses import Response

from joute.web.replaying.places import of_contest
from joute.web.sites.api import REFUSED, Contest, Identity
from joute.web.sites.replay import positions as sent_positions

router = APIRouter(prefix="/api", tags=["contests"], responses=REFUSED)


@router.get("/contests/{contest}/games/{identity}/positions", response_model=dict[str, Any])
async def positions(request: Request, contest: Contest, identity: Identity) -> Response:
    """A game ply by ply: what each seat sees, what was said, marks, clocks, who was ahead."""
    return await sent_positions(request, await run_in_threadpool(of_contest, request))
