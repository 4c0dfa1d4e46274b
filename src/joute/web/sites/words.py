"""What scripts in the browser say, and the switch of languages."""

from __future__ import annotations

import hashlib
import json
from functools import cache

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import RedirectResponse, Response

from joute.i18n.words import LANGUAGES, language, say
from joute.web.guard import LANGUAGE
from joute.web.script_words import words_sent
from joute.web.security import YEAR, settings_of

router = APIRouter(include_in_schema=False)


def words_address() -> str:
    """Where scripts find the words of the language spoken now; changes with the words."""
    version = hashlib.sha256(_words(language())).hexdigest()[:12]
    return f"/words/{language()}.json?v={version}"


@cache
def _words(language: str) -> bytes:
    return json.dumps(words_sent(language), ensure_ascii=False, sort_keys=True).encode()


@router.get("/words/{name}.json")
def words(name: str, v: str = "") -> Response:
    """The words of a language, for `words.js`."""
    if name not in LANGUAGES:
        raise HTTPException(404, say("web.error.no_page", path=f"/words/{name}.json"))
    kept = "public, max-age=31536000, immutable" if v else "no-cache"
    return Response(_words(name), media_type="application/json", headers={"Cache-Control": kept})


@router.get("/language/{name}")
def switch(request: Request, name: str, back: str = "/") -> Response:
    """The browser is answered in that language from now on."""
    if name not in LANGUAGES:
        raise HTTPException(404, say("web.error.no_page", path=f"/language/{name}"))
    response = RedirectResponse(local(back), 303)
    response.set_cookie(
        LANGUAGE,
        name,
        max_age=YEAR,
        httponly=True,
        samesite="lax",
        secure=settings_of(request).https,
    )
    return response


def local(address: str) -> str:
    """An address if it is one of ours, else the home page."""
    ours = address.startswith("/") and not address.startswith(("//", "/\\"))
    return address if ours and address.isprintable() else "/"
