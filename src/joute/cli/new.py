"""`joute new FOLDER`: a ready project, with a bot and a contest, or a package with a small game."""

from __future__ import annotations

import re
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from joute.cli.projects import LANGUAGES, PYTHON, Project, languages_of
from joute.cli.usage import UsageFault, UsualGame, game_or_usual
from joute.core.card import Card
from joute.core.registry import called, cards, find
from joute.core.starters import (
    FUNCTION,
    files_of,
    program_folders,
    shown,
    starter,
    starters,
    starting_folders,
)
from joute.files import put
from joute.i18n.words import language, say

TEMPLATES = Path(__file__).parent / "templates"
KINDS = ("bot", "game")
GAMES = 10  # of the same bots in the contest, or about as many


def _styles(brought: Card) -> list[str]:
    """The styles of a game's bots."""
    return [*starters(brought), *program_folders(brought), *starting_folders(brought)]


def _every_style() -> list[str]:
    """Every style that some game's bots have."""
    return list(dict.fromkeys(style for each in cards() for style in _styles(each)))


def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="help.new.folder")],
    game: UsualGame = None,
    style: Annotated[
        str, typer.Option("--style", metavar="|".join(_every_style()), help="help.new.style")
    ] = FUNCTION,
    kind: Annotated[
        str, typer.Option("--kind", metavar="|".join(KINDS), help="help.new.kind")
    ] = KINDS[0],
    program: Annotated[
        str, typer.Option("--in", metavar="|".join(LANGUAGES), help="help.new.in")
    ] = PYTHON,
    solutions: Annotated[bool, typer.Option("--solutions", help="help.new.solutions")] = False,
) -> None:
    """The command; its help is in the catalogs."""
    from joute.core.registry import card

    if kind not in KINDS:
        raise UsageFault(say("error.choice", value=kind, known=", ".join(KINDS)))
    if kind == "game":
        if solutions:
            raise UsageFault(say("new.no_solutions", style=kind))
        if program != PYTHON:
            raise UsageFault(say("new.game_language", language=program))
        name = _game_name(folder)
        _make(folder)
        write_game(folder, name)
        return

    game = game_or_usual(game)
    brought = card(game)  # an unknown name is refused with what there is
    if program not in LANGUAGES:
        raise UsageFault(say("error.choice", value=program, known=", ".join(LANGUAGES)))
    if style not in _styles(brought):
        raise UsageFault(say("error.choice", value=style, known=", ".join(_styles(brought))))
    folders = starting_folders(brought)
    if style in folders:
        if program != PYTHON:
            raise UsageFault(say("new.languages", style=style, languages=PYTHON))
        write_folder(folder, files_of(folders[style], solutions))
        return
    if solutions:
        raise UsageFault(say("new.no_solutions", style=style))
    templates = program_folders(brought).get(style)
    languages = _languages(brought, style, templates)
    if program not in languages:
        raise UsageFault(say("new.languages", style=style, languages=", ".join(languages)))
    opponent = brought.opponent or _opponent(game)
    there = called(game, folder.resolve())
    text = shown(brought, style)
    project = Project(game, there, style, program, opponent, templates, text)
    _write_project(folder, project, starters(brought).get(style))


def _languages(brought: Card, style: str, templates: Path | None) -> list[str]:
    """The languages that bots of a style are written in."""
    of_python = [PYTHON] if style in starters(brought) else []
    of_programs = languages_of(templates) if templates or style == FUNCTION else []
    return [*of_python, *of_programs]


def _write_project(folder: Path, project: Project, template: Path | None) -> None:
    """Writes a bot with what helps to work on it. Raises UsageFault where something is there."""
    from joute.cli.projects import project_files

    files = project_files(project, lambda: starter(template, project.typed) if template else "")
    _make(folder)
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        put(folder / name, text)
    bot, contest, opponent = folder / project.bot, folder / "contest.toml", project.opponent
    put(contest, _contest(project))
    print(say("new.made", bot=bot, contest=contest))
    quoted = {"bot": quote(str(bot)), "contest": quote(str(contest))}
    print(say("new.next", game=quote(called(project.game)), opponent=opponent, **quoted))


def write_folder(folder: Path, files: dict[str, str]) -> None:
    """Writes the files that a student begins with. Raises UsageFault where something is there."""
    _make(folder)
    for path, text in files.items():
        (folder / path).parent.mkdir(exist_ok=True)
        put(folder / path, text)
    print(say("new.folder", folder=folder, files=", ".join(files)))


def _opponent(game: str) -> str:
    """A bot that plays a game whose card names none for beginners."""
    from joute.bots.ladder import player_at
    from joute.core.registry import make

    return player_at(make(game), 3).removeprefix("builtin:")


def _contest(project: Project) -> str:
    """A contest of the new bot and others, as many as the game seats at least."""
    import json

    from joute.core.interface import properties
    from joute.core.registry import make

    players = properties(make(project.game)).players
    bots = [project.bot, "builtin:random", f"builtin:{project.opponent}"]
    bots += ["builtin:random"] * (players - len(bots))
    games = players * max(GAMES // players, 1)  # each seat as often
    text = (TEMPLATES / f"contest.{language()}.toml").read_text(encoding="utf-8")
    for word, value in (("BOTS", bots), ("GAMES", games), ("GAME", project.called)):
        text = text.replace(word, json.dumps(value, ensure_ascii=False))
    return text.replace("CLOCK", say("new.wall_clock" if project.connects else "new.cpu_clock"))


def _make(folder: Path) -> None:
    """Makes an empty folder. Raises UsageFault where something is in it."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageFault(say("new.not_empty", folder=folder))
    folder.mkdir(parents=True, exist_ok=True)


GAME_TEMPLATES = TEMPLATES / "game"


def _game_name(folder: Path) -> str:
    """The name of a game in a folder. Raises UsageFault where it or its module is something else's.

    A test that imports a module of Python's by the game's name would get that module.
    """
    name = re.sub(r"[^a-z0-9]+", "-", folder.resolve().name.lower()).strip("-")
    if not name or name[0].isdigit():
        raise UsageFault(say("new.game_name", name=folder.resolve().name))
    if find(name) is not None:
        raise UsageFault(say("new.game_taken", name=name))
    module = _module(name)
    known = find_spec(module)
    if iskeyword(module) or (known is not None and known.origin is not None):
        raise UsageFault(say("new.game_module", module=module))
    return name


def _module(game: str) -> str:
    return game.replace("-", "_")


def write_game(folder: Path, name: str) -> None:
    """Writes the package of a game of this name into a folder that is there."""
    module = _module(name)
    words = {"PACKAGE": f"joute-{name}", "MODULE": module, "NAME": name}
    files = {
        "pyproject.toml": "pyproject.toml.txt",
        "README.md": f"README.{language()}.md.txt",
        f"{module}/__init__.py": "card.py.txt",
        f"{module}/rules.py": f"rules.{language()}.py.txt",
        f"{module}/rulebook/{language()}.md": f"rulebook.{language()}.md.txt",
        f"{module}/rulebook/drawings.toml": "drawings.toml.txt",
        "tests/test_rules.py": f"test_rules.{language()}.py.txt",
    }
    for target, template in files.items():
        text = (GAME_TEMPLATES / template).read_text(encoding="utf-8")
        for word, value in words.items():
            text = text.replace(word, value)
        path = folder / target
        path.parent.mkdir(parents=True, exist_ok=True)
        put(path, text)
    rules = quote(str(folder / module))
    print(say("new.game", folder=folder, rules=rules))
