"""The static files as browsers are sent them.

All lie under one address that changes with their contents, so that a browser may keep them for a
year.
"""

from __future__ import annotations

import hashlib
import mimetypes
from pathlib import Path, PurePosixPath

from fastapi import HTTPException
from starlette.responses import Response

from joute.core.registry import cards
from joute.i18n.words import say
from joute.web.assets import STATIC, files, style

STYLESHEET = "joute.css"
_TYPES = {".js": "text/javascript", ".svg": "image/svg+xml"}


class StaticFiles:
    """The files of a folder and of the games, read when first asked for."""

    def __init__(self, folder: Path = STATIC, *, fresh: bool = False) -> None:
        self._folder = folder
        self._fresh = fresh  # read again each time: for whoever is editing them
        self._games: list[str] = []  # whose files are among them
        self._files: dict[str, bytes] = {}
        self._version = ""

    def address(self, path: str) -> str:
        """Where a browser finds a file: `js/theme.js` and the like, or `joute.css`."""
        return f"/static/{self.version}/{path}"

    @property
    def version(self) -> str:
        """A name of the contents of all files together."""
        games = [card.name for card in cards()]
        if self._fresh or games != self._games or not self._version:
            self._files = {path: file.read_bytes() for path, file in files(self._folder).items()}
            self._files[STYLESHEET] = style(self._folder).encode()
            self._version, self._games = _digest(self._files), games
        return self._version

    def response(self, version: str, path: str) -> Response:
        """A file, or HTTPException 404. Only the present version may be kept by the browser."""
        current = version == self.version
        content = self._files.get(path)
        if content is None:
            raise HTTPException(404, say("web.error.no_page", path=f"/static/{version}/{path}"))
        suffix = PurePosixPath(path).suffix
        kind = _TYPES.get(suffix) or mimetypes.guess_type(path)[0] or "application/octet-stream"
        kept = "public, max-age=31536000, immutable" if current else "no-cache"
        return Response(content, media_type=kind, headers={"Cache-Control": kept})


def _digest(contents: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for path, content in sorted(contents.items()):
        digest.update(f"{path} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:12]
