"""The web application: its pages, and what stands before them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException as AnyHTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse, Response

import joute
from joute.i18n.recognised import foreign, recognised
from joute.i18n.words import say
from joute.store.model import StoreError
from joute.web.guard import Guard
from joute.web.limits import Limits
from joute.web.render import page, templates
from joute.web.security import checked_form
from joute.web.settings import Settings
from joute.web.sites import (
    api,
    contest,
    home,
    live,
    login,
    named,
    organise,
    play,
    replay,
    replay_api,
    submit,
    watch,
    words,
)
from joute.web.static_files import StaticFiles

# In the order in which they look at an address.
SITES = (
    home,
    words,
    play,
    replay,
    replay_api,
    watch,
    contest,
    live,
    submit,
    named,
    organise,
    login,
    api,
)
PACKED_BYTES = 500  # from which an answer is compressed
PACKING = 6  # of 9: of the last third of them hardly a byte is saved
TABS = ("play", "watch", "contests", "submit")  # of every page, as far as there is one of that name


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application for these settings (default: alone on this machine, no contest)."""
    settings = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
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
    app.state.limits = Limits()
    app.state.templates = templates(static, fresh=settings.fresh)
    served: set[str] = set()
    for site in SITES:
        if hasattr(site, "prepare"):
            site.prepare(app)
        app.include_router(site.router, dependencies=[Depends(checked_form)])
        served |= {getattr(route, "path", "") for route in site.router.routes}
    app.state.templates.globals["tabs"] = [name for name in TABS if f"/{name}" in served]
    app.add_exception_handler(AnyHTTPException, _refused)  # type: ignore[arg-type]
    app.add_exception_handler(RequestValidationError, _misread)  # type: ignore[arg-type]
    app.add_exception_handler(StoreError, _unreadable)
    app.add_middleware(GZipMiddleware, minimum_size=PACKED_BYTES, compresslevel=PACKING)
    app.add_middleware(Guard, hosts=settings.hosts)
    return app


async def _refused(request: Request, error: HTTPException) -> Response:
    """A sentence: JSON for programs, a page for people."""
    unknown = error.status_code == 404 and error.detail == "Not Found"
    nowhere = say("web.error.no_page", path=request.url.path)
    sentence = nowhere if unknown else str(recognised(error.detail))
    if _for_programs(request):
        return JSONResponse({"error": sentence}, error.status_code, error.headers)
    response = page(request, "error.html", error.status_code, sentence=sentence)
    response.headers.update(error.headers or {})
    return response


async def _misread(request: Request, error: RequestValidationError) -> Response:
    """Says which value of a request is wrong, and why."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    sentence = say("web.error.value", place=place, reason=foreign(first["msg"]))
    return await _refused(request, HTTPException(422, sentence))


async def _unreadable(request: Request, error: Exception) -> Response:
    """Says what is wrong with the store of a contest."""
    return await _refused(request, HTTPException(503, say("web.error.contest", reason=error)))


def _for_programs(request: Request) -> bool:
    return request.url.path.startswith("/api/") or "application/json" in request.headers.get(
        "accept", ""
    )
