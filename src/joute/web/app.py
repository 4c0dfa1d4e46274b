"""The web application: its pages and its middleware."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI
from starlette.middleware.gzip import GZipMiddleware

import joute
from joute.web.assets import StaticFiles
from joute.web.errors import add_handlers
from joute.web.middleware import Guard
from joute.web.pages import templates
from joute.web.rate_limits import RateLimits
from joute.web.security import checked_form
from joute.web.settings import Settings
from joute.web.sites import (
    api,
    contest,
    contest_making,
    decisions,
    documents,
    home,
    organise,
    participants,
    play,
    registrations,
    replay,
    rosters,
    rules,
    submissions,
    submit,
    tasks,
    watch,
)

# Of the organiser's, those with addresses of their own come before the contests by identifier.
SITES = (
    home,
    documents,
    play,
    rules,
    replay,
    contest,
    tasks,
    watch,
    submit,
    organise,
    contest_making,
    registrations,
    participants,
    decisions,
    rosters,
    submissions,
    api,
)
PACKED_BYTES = 500  # from which an answer is compressed
PACKING = 6  # of 9; a higher level hardly saves a byte
TABS = ("play", "watch", "contests", "submit")  # of every page, where there is a page of that name


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application for these settings (default: alone on this machine, no contest)."""
    settings = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        for site in SITES:
            if hasattr(site, "start"):
                site.start(app)
        yield
        for site in SITES:
            if hasattr(site, "close"):
                site.close(app)

    app = FastAPI(
        title="Joute",
        version=joute.__version__,
        lifespan=lifespan,
        docs_url=None,  # these pages load scripts from elsewhere; ours is /api
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
    )
    static = StaticFiles(fresh=settings.fresh)
    app.state.settings = settings
    app.state.static = static
    app.state.limits = RateLimits()
    app.state.templates = templates(static, fresh=settings.fresh)
    served: set[str] = set()
    for site in SITES:
        if hasattr(site, "prepare"):
            site.prepare(app)
        own = getattr(site, "OWN_TOKEN", False)
        app.include_router(site.router, dependencies=[] if own else [Depends(checked_form)])
        served |= {getattr(route, "path", "") for route in site.router.routes}
    app.state.templates.globals["tabs"] = [name for name in TABS if f"/{name}" in served]
    add_handlers(app)
    app.add_middleware(GZipMiddleware, minimum_size=PACKED_BYTES, compresslevel=PACKING)
    app.add_middleware(Guard, hosts=settings.hosts)
    return app
