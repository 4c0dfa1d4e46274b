"""Bots to start from: a file for each interface that the bots of a game may have.

`joute new` writes them, and the pages of contests offer those in Python. A game may bring folders
too, for `joute new` alone: of several files that belong together, or of programs that talk as in
its original contest.
"""

from __future__ import annotations

from pathlib import Path

from joute.core.card import Card
from joute.i18n.words import language

TEMPLATES = Path(__file__).parent / "templates"
FUNCTION = "function"  # the interface that every game has
SOLUTIONS = "solutions"  # the part of a folder that is for the teacher


def starters(brought: Card) -> dict[str, Path]:
    """The templates of a game's bots in the language spoken now, by their interfaces."""
    ending = f".{language()}.py.txt"
    folders = [TEMPLATES, brought.file("templates")]
    files = [file for each in folders if each for file in sorted(each.glob(f"*{ending}"))]
    return {file.name.removesuffix(ending): file for file in files}


def shown(brought: Card, interface: str) -> str:
    """The text on what bots of an interface of the game's own are shown and answer; "" if none."""
    file = brought.file(f"templates/{interface}.shown.{language()}.md.txt")
    return file.read_text(encoding="utf-8") if file else ""


def starter(template: Path, game: str) -> str:
    """The bot of a template, for a game as commands name it."""
    return template.read_text(encoding="utf-8").replace("GAME", game)


def starting_folders(brought: Card) -> dict[str, Path]:
    """The folders to start from that a game brings in the language spoken now, by their names."""
    ending = f".{language()}"
    templates = brought.file("templates")
    found = sorted(templates.glob(f"*{ending}")) if templates else []
    return {each.name.removesuffix(ending): each for each in found if each.is_dir()}


def program_folders(brought: Card) -> dict[str, Path]:
    """The folders of templates of programs that talk in ways of a game's own, by their prefixes.

    In each are `bot.LANGUAGE.SUFFIX.txt`, the program in a language of programs;
    `shown.LANGUAGE.md.txt`, what it is told and answers; `test_program.py.txt`, its test; and
    `server.LANGUAGE.py.txt`, a server of an example, where the program connects to one.
    """
    templates = brought.file("templates")
    named = (*brought.dialects, *brought.seats)
    return {each: templates / each for each in named if templates and (templates / each).is_dir()}


def files_of(folder: Path, solutions: bool) -> dict[str, str]:
    """The texts of such a folder by their paths in it, with the solutions if they are wanted."""
    found = {}
    for file in sorted(folder.rglob("*.txt")):
        path = file.relative_to(folder).as_posix().removesuffix(".txt")
        if solutions or not path.startswith(f"{SOLUTIONS}/"):
            found[path] = file.read_text(encoding="utf-8")
    return found
