"""The site of documents, under `/docs`.

Its addresses do not change with its contents, for its pages are the same in a folder: a browser
keeps them, and asks each time whether they are still right.
"""

from __future__ import annotations

import mimetypes
from pathlib import PurePosixPath

from fastapi import APIRouter, FastAPI, HTTPException, Request
from starlette.responses import RedirectResponse, Response

from joute.i18n.words import LANGUAGES, language, say
from joute.web.doc_files import FIRST, Documents
from joute.web.pages import page

router = APIRouter(include_in_schema=False)

_KEPT = "public, no-cache"  # kept, and asked for by its version
_TYPES = {".js": "text/javascript", ".svg": "image/svg+xml", ".toml": "text/plain"}


def prepare(app: FastAPI) -> None:
    """Finds the site."""
    app.state.documents = Documents(fresh=app.state.settings.fresh)


@router.get("/docs")
@router.get("/docs/")
def documents(request: Request) -> Response:
    """The list of documents in the reader's language."""
    return RedirectResponse(f"/docs/{language()}/{FIRST}", 303)


@router.get("/docs/{path:path}")
def document(request: Request, path: str) -> Response:
    """A file of the site; where none was built, a page that says how."""
    found: Documents = request.app.state.documents
    if not found.built():
        return page(request, "documents.html", 404)
    if path.rstrip("/") in LANGUAGES:
        return RedirectResponse(f"/docs/{path.rstrip('/')}/{FIRST}", 303)
    sent = found.content(path)
    if sent is None:
        raise HTTPException(404, say("web.error.no_page", path=request.url.path))
    content, version = sent
    headers = {"Cache-Control": _KEPT, "ETag": f'W/"{version}"'}
    if version in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    suffix = PurePosixPath(path).suffix
    kind = _TYPES.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
    return Response(content, media_type=kind, headers=headers)
