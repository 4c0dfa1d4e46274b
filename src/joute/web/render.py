"""Pages from templates.

In a template, `say(key, ...)` is the sentence of that key in the reader's language, `static(path)`
the address of a static file, `title_of(game)` and the like what `games.py` says of a game, and a
form holds `{% include "token.html" %}`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

import joute
from joute.i18n.figures import figure, lasts, plain
from joute.i18n.words import LANGUAGES, has, language, say
from joute.web import games
from joute.web.security import form_token, is_organiser, keep_visitor, settings_of
from joute.web.sites.words import local, words_address
from joute.web.static_files import StaticFiles

TEMPLATES = Path(__file__).parent / "templates"
THEMES = ("auto", "light", "dark")
THEME = "joute_theme"  # cookie, set by theme.js


def environment(static: StaticFiles, *, fresh: bool = False) -> jinja2.Environment:
    """The templates, with what all of them may use."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=fresh,
    )
    made.globals.update(
        say=say,
        language=language,
        languages=LANGUAGES,
        static=static.address,
        words_address=words_address,
        version=joute.__version__,
        has=has,
        title_of=games.title,
        about=games.about,
        pitch=games.pitch,
        meta=games.meta,
        picture=lambda game: Markup(games.picture(game)),  # noqa: S704, the game's own file
    )
    made.filters.update(figure=figure, plain=plain, lasts=lasts)
    return made


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page made from a template, in the reader's language."""
    templates: jinja2.Environment = request.app.state.templates
    theme = request.query_params.get("theme") or request.cookies.get(THEME)
    text = templates.get_template(template).render(
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
