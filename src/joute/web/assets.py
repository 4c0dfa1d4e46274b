"""The static files of pages, by their paths below the folder of static files.

They are Joute's own, `js/...` and the like, and those that a game has in its folder `web`, as
`games/NAME/...`: scripts find each other by relative paths. All style sheets are sent as one file.
The address of the whole changes with its contents, so that a browser may keep it for a year.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from joute.core.registry import cards, find

STATIC = Path(__file__).parent / "static"
STYLES = "css.d"  # the folder of the parts of the style sheet
OTHERS = ("60", "61", "62", "63", "64")
"""Beginnings of the parts of the style sheet that pages without a game need."""
STYLESHEET = "joute.css"
PLAIN = "js/boards/plain.js"  # the board of a game that brings none
_SENT = (".js", ".svg", ".png", ".webp", ".avif", ".json")  # files of games that are sent


def files(folder: Path = STATIC) -> dict[str, Path]:
    """Every file but style sheets."""
    found = {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".css"
    }
    for card in cards():
        brought = card.file("web")
        if brought is None:
            continue
        for path in sorted(brought.rglob("*")):
            if path.suffix in _SENT:
                found[f"games/{card.name}/{path.relative_to(brought).as_posix()}"] = path
    return found


def style(folder: Path = STATIC, only: str = "") -> str:
    """The style sheet: the parts in alphabetical order, those of games before the last.

    The last part is about motion, contrast and print, and has the last word. With `only`, what a
    page with a game of this name needs: its board, and no other kind of page.
    """
    parts = sorted((folder / STYLES).glob("*.css"))
    if only:
        parts = [part for part in parts if part.name[:2] not in OTHERS]
    games = [find(only)] if only else cards()
    brought = [card.file("web/board.css") for card in games if card is not None]
    order = [*parts[:-1], *filter(None, brought), *parts[-1:]]
    return "\n".join(part.read_text(encoding="utf-8") for part in order)


def board(game: str) -> str:
    """The script that draws the board of a game."""
    card = find(game)
    if card is None or card.file("web/board.js") is None:
        return PLAIN
    return f"games/{card.name}/board.js"


class StaticFiles:
    """The files of a folder and of the games, read when first asked for."""

    def __init__(self, folder: Path = STATIC, *, fresh: bool = False) -> None:
        self._folder = folder
        self._fresh = fresh  # read again each time, while files are edited
        self._games: list[str] = []  # the games whose files are read
        self._files: dict[str, bytes] = {}
        self._version = ""

    def address(self, path: str) -> str:
        """The address of a file: of `js/theme.js` and the like, or of `joute.css`."""
        return f"/static/{self.version}/{path}"

    @property
    def version(self) -> str:
        """A hash of the contents of all files together."""
        games = [card.name for card in cards()]
        if self._fresh or games != self._games or not self._version:
            self._files = {path: file.read_bytes() for path, file in files(self._folder).items()}
            self._files[STYLESHEET] = style(self._folder).encode()
            self._version, self._games = _digest(self._files), games
        return self._version

    def content(self, path: str) -> bytes | None:
        """The content of a file."""
        return self._files.get(path)


def _digest(contents: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for path, content in sorted(contents.items()):
        digest.update(f"{path} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:12]
