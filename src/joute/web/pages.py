"""Pages of the server from templates, and the sentences that their scripts load.

In a template, `static(path)` is the address of a static file, and a form holds
`{% include "token.html" %}`.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse

from joute.core.registry import names
from joute.i18n.words import LANGUAGES, language
from joute.web.assets import StaticFiles
from joute.web.organiser import is_organiser
from joute.web.security import form_token, keep_visitor, settings_of
from joute.web.templating import environment, words_sent

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
        here=_here(request),
        theme=theme if theme in THEMES else "auto",
        token=form_token(request),
        organiser=is_organiser(request),
        guarded=settings_of(request).password is not None,
        **values,
    )
    response = HTMLResponse(text, status)
    keep_visitor(request, response)
    return response


def _here(request: Request) -> str:
    """The address to come back to: of an answer to a form, that of the page with the form."""
    url = request.url
    if request.method == "POST":
        form = urlsplit(request.headers.get("referer", ""))
        if form.netloc == url.netloc:
            return local(f"{form.path}?{form.query}".rstrip("?"))
    return local(f"{url.path}?{url.query}".rstrip("?"))


def local(address: str) -> str:
    """An address if it is of this server, else the home page."""
    ours = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if ours and address.isprintable() else "/"


def words_address() -> str:
    """The address of the sentences for scripts; it changes with the sentences."""
    version = hashlib.sha256(script_words(language())).hexdigest()[:12]
    return f"/words/{language()}.js?v={version}"


def script_words(language: str) -> bytes:
    """The sentences for scripts in a language, as a script that sets them for `words.js`."""
    return _script_words(language, tuple(names()))


@lru_cache(maxsize=8)
def _script_words(language: str, _games: tuple[str, ...]) -> bytes:
    words = json.dumps(words_sent(language), ensure_ascii=False, sort_keys=True)
    return f"globalThis.jouteWords = {words};\n".encode()
