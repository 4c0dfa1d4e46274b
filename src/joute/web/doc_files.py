"""The site of documents, built by `scripts/docs` into the folder `docs` beside this file.

Each language has a folder of pages, and a page in one language has its like, of the same path, in
the others. Where the site was not built the folder is not there.
"""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePosixPath

PLACE = Path(__file__).parent / "docs"
FIRST = "index.html"


class Documents:
    """The files of the site, read when first asked for."""

    def __init__(self, folder: Path = PLACE, *, fresh: bool = False) -> None:
        self._folder = folder
        self._fresh = fresh  # looked for again each time, while documents are edited
        self._paths: frozenset[str] = frozenset()
        self._read: dict[str, tuple[bytes, str]] = {}

    def built(self) -> bool:
        """Whether there is a site."""
        if self._fresh or not self._paths:
            self._read = {}
            self._paths = frozenset(
                path.relative_to(self._folder).as_posix()
                for path in self._folder.rglob("*")
                if path.is_file()
            )
        return bool(self._paths)

    def content(self, path: str) -> tuple[bytes, str] | None:
        """The content of a file and its version, a hash; None if the site has no such file."""
        if not self.built() or path not in self._paths:
            return None
        if path not in self._read:
            content = (self._folder / PurePosixPath(path)).read_bytes()
            self._read[path] = content, hashlib.sha256(content).hexdigest()[:16]
        return self._read[path]
