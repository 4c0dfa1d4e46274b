"""`joute carry GAME BOT FOLDER`: a built-in player as a participant of a game's original contest.

What is written are the files of the folder `participant` beside the game's card, with `BOT` and
`ABOUT` in them, and `NAME` in their names, put in; they call Joute, which has to be installed.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Annotated

import typer

from joute.cli.usage import GameArgument, UsageFault
from joute.files import put
from joute.i18n.words import say

PARTICIPANT = "participant"
SUFFIX = ".txt"  # of a file there, which its name here has not


def carry(
    game: GameArgument,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="help.carry.bot")],
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="help.carry.folder")],
) -> None:
    """The command; its help is in the catalogs."""
    from joute.core.registry import card, make
    from joute.host.names import parse_bot
    from joute.play.seats import check_uncompiled

    templates = card(game).file(PARTICIPANT)
    if templates is None:
        raise UsageFault(say("carry.no_contest", game=game, known=", ".join(_known())))
    spec = parse_bot(bot)
    if spec.kind != "builtin" or spec.hosted:
        raise UsageFault(say("carry.not_builtin", bot=bot))
    check_uncompiled(spec, make(game))
    if folder.exists() or folder.is_symlink():
        raise UsageFault(say("carry.exists", folder=folder))
    folder.mkdir(parents=True)
    about = say("carry.about", bot=bot, game=game).replace("\\", r"\\")
    name = re.sub(r"\W+", "_", spec.name)
    if name in sys.stdlib_module_names:  # a file `random.py` would hide Python's own from all
        name = f"joute_{name}"
    for template in sorted(templates.glob(f"*{SUFFIX}")):
        text = template.read_text(encoding="utf-8")
        text = text.replace("ABOUT", about).replace("BOT", json.dumps(bot, ensure_ascii=False))
        path = folder / template.name.removesuffix(SUFFIX).replace("NAME", name)
        put(path, text)
        if text.startswith("#!"):
            path.chmod(0o755)
    print(say("carry.made", bot=bot, folder=folder))
    print(say(f"carry.{card(game).name}", folder=folder, name=name))
    print(say("carry.needs", game=game))


def _known() -> list[str]:
    """The games whose original contest a player can be carried to."""
    from joute.core.registry import cards

    return sorted(each.name for each in cards() if each.file(PARTICIPANT))
