"""Pages of the server from templates.

In a template, `static(path)` is the address of a static file, and a form holds
`{% include "token.html" %}`.
"""

from __future__ import annotations

from typing import Any

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse

from joute.i18n.words import LANGUAGES
from joute.web.security import form_token, is_organiser, keep_visitor, settings_of
from joute.web.sites.words import local, words_address
from joute.web.static_files import StaticFiles
from joute.web.templating import environment

THEMES = ("auto", "light", "dark")
THEME = "joute_theme"  # cookie, set by theme.js


def templates(static: StaticFiles, *, fresh: bool = False) -> jinja2.Environment:
    """The templates with the addresses of this server."""
    shared = {"languages": LANGUAGES, "static": static.address, "words_address": words_address}
    return environment(fresh=fresh, **shared)


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page made from a template, in the reader's language."""
    loaded: jinja2.Environment = request.app.state.templates
    theme = request.query_params.get("theme") or request.cookies.get(THEME)
    text = loaded.get_template(template).render(
        path=request.url.path,
        here=local(f"{request.url.path}?{request.url.query}".rstrip("?")),
        theme=theme if theme in THEMES else "auto",
        token=form_token(request),
        organiser=is_organiser(request),
        guarded=settings_of(request).password is not None,
        **values,
    )
    response = HTMLResponse(text, status)
    keep_visitor(request, response)
    return response
