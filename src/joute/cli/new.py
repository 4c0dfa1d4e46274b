"""`joute new FOLDER`: a ready project, a bot to change and a contest to run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from joute.cli.exits import UsageFault
from joute.cli.options import GameName
from joute.cli.usage import Command
from joute.files import put
from joute.i18n.words import language, say

TEMPLATES = Path(__file__).parent / "templates"
STYLES = ("function", "hx2")
PARADISE = "paradise"  # a style of that game only, as hx2 is of Virus


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("new", cls=Command, help="help.new")(new)


def new(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="help.new.folder")],
    game: GameName = "virus",
    style: Annotated[
        str, typer.Option("--style", metavar="|".join((*STYLES, PARADISE)), help="help.new.style")
    ] = "function",
) -> None:
    """The command; its help is in the catalogs."""
    from joute.core.registry import card

    brought = card(game)  # an unknown name is refused with what there is
    if style not in (known := (*STYLES, PARADISE)):
        raise UsageFault(say("error.choice", value=style, known=", ".join(known)))
    template = TEMPLATES / f"{game}_{style}.{language()}.py.txt"
    if not template.is_file():
        raise UsageFault(say("new.no_template", game=game, style=style))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageFault(say("new.not_empty", folder=folder))
    folder.mkdir(parents=True, exist_ok=True)
    bot = folder / "bot.py"
    put(bot, template.read_bytes())
    contest = folder / "contest.toml"
    text = (TEMPLATES / f"contest.{language()}.toml").read_text(encoding="utf-8")
    opponent = brought.opponent
    text = text.replace("GAME", game).replace("OPPONENT", opponent)
    put(contest, text)
    print(say("new.made", bot=bot, contest=contest))
    print(say("new.next", game=game, bot=bot, contest=contest, opponent=opponent))
