"""The tasks of contests that are open for bots: what to write, for everybody to read."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import Response

from joute.contest.config.contest import Contest
from joute.contest.errors import ConfigError
from joute.contest.report import wording
from joute.host.building.toolchains import languages
from joute.i18n.words import say
from joute.web.contests.access import entrant_of
from joute.web.pages import page
from joute.web.registration.contest_files import requirements, rules_of
from joute.web.registration.house import house_bots
from joute.web.registration.packages import packages
from joute.web.registration.service import RegistrationService
from joute.web.registration.store import Registration, RegistrationStore, utc
from joute.web.registration.task import FILE, practice_commands, starter_of, task

router = APIRouter(include_in_schema=False)

ADDRESS = "/contests/tasks"


def open_listed(store: RegistrationStore) -> list[Registration]:
    """The contests that take bots, or will, and are listed, the next deadline first."""
    now = store.now()
    found = [
        each
        for each in store
        if (each.open_at(now) or each.awaited_at(now)) and _listed(store, each)
    ]
    return sorted(found, key=lambda each: each.deadline)


def _listed(store: RegistrationStore, registration: Registration) -> bool:
    """Whether a contest is for everybody to see; none whose rules cannot be had here now."""
    try:
        return rules_of(store, registration).show.listed
    except (ConfigError, OSError):
        return False


def open_shown(request: Request) -> dict[str, Any]:
    """The values of a page that lists the contests which take bots."""
    store: RegistrationStore = request.app.state.registration.store
    return {"open_contests": open_listed(store), "now": utc(store.now())}


def task_shown(service: RegistrationService, registration: Registration) -> dict[str, Any]:
    """The values of a page that tells the task of a contest."""
    wanted = requirements(service.store, registration)
    houses = [each for each in house_bots(wanted.contest.game) if each.bot in wanted.houses]
    return {
        "registration": registration,
        "contest": wanted.contest,
        "task": task(wanted.contest),
        "address": f"{ADDRESS}/{registration.identity}",
        "costs": wording.costs(wanted.contest.costs),
        "compilers": languages(),
        "packages": packages(),
        "houses": houses,
        "commands": practice_commands(wanted.contest, houses[0].bot if houses else "random"),
        "now": utc(service.store.now()),
    }


def _found(request: Request, identity: str) -> Registration:
    service: RegistrationService = request.app.state.registration
    found = service.store.find(identity)
    if found is None:
        raise HTTPException(404, say("web.error.no_contest", name=identity[:40]))
    return found


def _contest(request: Request, identity: str) -> Contest:
    store: RegistrationStore = request.app.state.registration.store
    return rules_of(store, _found(request, identity))


@router.get(ADDRESS + "/{identity}")
def told(request: Request, identity: str) -> Response:
    """The task of a contest."""
    service: RegistrationService = request.app.state.registration
    registration = _found(request, identity)
    entrant = entrant_of(request)
    return page(
        request,
        "task.html",
        open=registration.open_at(service.store.now()),
        own=entrant is not None and entrant.registration is registration,
        results=service.control.public_address(registration),
        **task_shown(service, registration),
    )


@router.get(ADDRESS + "/{identity}/starters/{interface}")
def starter(request: Request, identity: str, interface: str) -> Response:
    """A bot to start from."""
    found = starter_of(_contest(request, identity), interface)
    if found is None:
        raise HTTPException(404, say("web.error.no_page", path=request.url.path))
    return _saved(found.code, FILE, "text/x-python; charset=utf-8")


@router.get(ADDRESS + "/{identity}/observation")
def observation(request: Request, identity: str) -> Response:
    """An observation of the contest's game, as a bot is shown it."""
    shown = task(_contest(request, identity)).example
    return _saved(f"{shown}\n", "observation.json", "application/json")


def _saved(text: str, name: str, kind: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text.encode(), media_type=kind, headers=headers)
