"""Bots to start from: a file for each interface that the bots of a game may have.

`joute new` writes them, and the pages of contests offer them.
"""

from __future__ import annotations

from pathlib import Path

from joute.core.card import Card
from joute.i18n.words import language

TEMPLATES = Path(__file__).parent / "templates"
FUNCTION = "function"  # the interface that every game has


def starters(brought: Card) -> dict[str, Path]:
    """The templates of a game's bots in the language spoken now, by their interfaces."""
    ending = f".{language()}.py.txt"
    folders = [TEMPLATES, brought.file("templates")]
    files = [file for each in folders if each for file in sorted(each.glob(f"*{ending}"))]
    return {file.name.removesuffix(ending): file for file in files}


def starter(template: Path, game: str) -> str:
    """The bot of a template, for a game as commands name it."""
    return template.read_text(encoding="utf-8").replace("GAME", game)
