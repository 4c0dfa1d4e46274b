"""The static files as browsers are sent them.

All lie under one address that changes with their contents, so that a browser may keep them for a
year, and that ES modules find each other by relative paths. The parts of the stylesheet in `css.d`,
in alphabetical order, are sent as one file, `joute.css`.
"""

from __future__ import annotations

import hashlib
import mimetypes
from functools import cached_property
from pathlib import Path, PurePosixPath

from fastapi import HTTPException
from starlette.responses import Response

from joute.i18n.words import say

FOLDER = Path(__file__).parent / "static"
STYLESHEET = "joute.css"
_TYPES = {".js": "text/javascript", ".svg": "image/svg+xml"}


class StaticFiles:
    """The files of a folder, read when first asked for."""

    def __init__(self, folder: Path = FOLDER, *, fresh: bool = False) -> None:
        self._folder = folder
        self._fresh = fresh  # read again each time: for whoever is editing them

    def address(self, path: str) -> str:
        """Where a browser finds a file: `js/theme.js` and the like, or `joute.css`."""
        return f"/static/{self.version}/{path}"

    @property
    def version(self) -> str:
        """A name of the contents of all files together."""
        if self._fresh:
            self.__dict__.pop("_files", None)
            self.__dict__.pop("_version", None)
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

    @cached_property
    def _files(self) -> dict[str, bytes]:
        parts = sorted((self._folder / "css.d").glob("*.css"))
        files = {STYLESHEET: b"\n".join(part.read_bytes() for part in parts)}
        for path in sorted(self._folder.rglob("*")):
            if path.is_file() and path.suffix != ".css":
                files[path.relative_to(self._folder).as_posix()] = path.read_bytes()
        return files

    @cached_property
    def _version(self) -> str:
        digest = hashlib.sha256()
        for path, content in sorted(self._files.items()):
            digest.update(f"{path} {len(content)}\n".encode() + content)
        return digest.hexdigest()[:12]
