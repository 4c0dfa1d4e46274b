"""The files that browsers are sent, by their paths below the folder of static files.

They are Joute's own, `js/...` and the like, and what a game brings in its folder `web`, as
`games/NAME/...`: scripts find each other by relative paths. The styles of all are one file.
"""

from __future__ import annotations

from pathlib import Path

from joute.core.registry import cards, find

STATIC = Path(__file__).parent / "static"
STYLES = "css.d"  # the folder of the parts of the stylesheet
PLAIN = "js/boards/plain.js"  # the board of a game that brings none
_SENT = (".js", ".svg", ".png", ".webp", ".avif", ".json")  # of what a game brings


def files(folder: Path = STATIC) -> dict[str, Path]:
    """Every file but styles."""
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


def style(folder: Path = STATIC) -> str:
    """The stylesheet: the parts in alphabetical order, those of games before the last.

    The last holds for all: motion, contrast, print.
    """
    parts = sorted((folder / STYLES).glob("*.css"))
    brought = [card.file("web/board.css") for card in cards()]
    order = [*parts[:-1], *filter(None, brought), *parts[-1:]]
    return "\n".join(part.read_text(encoding="utf-8") for part in order)


def board(game: str) -> str:
    """The script that draws the board of a game."""
    card = find(game)
    if card is None or card.file("web/board.js") is None:
        return PLAIN
    return f"games/{card.name}/board.js"
