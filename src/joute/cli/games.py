"""`joute games`: the games there are, with what is true of each."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from joute.cli.output import print_json, print_table
from joute.cli.usage import Json, written
from joute.i18n.words import say


def games(
    name: Annotated[str, typer.Argument(metavar="[GAME]", help="help.games.name")] = "",
    json: Json = False,
) -> None:
    """The command; its help is in the catalogs."""
    from joute.core.registry import failed, named, names
    from joute.web.games import about

    found = [_facts(each) for each in ([named(name)] if name else names())]
    if not name:
        for reason in failed().values():
            print(reason, file=sys.stderr)
    if json:
        print_json(found)
        return
    for facts in found:
        print_table(
            [facts["name"], about(facts["name"])],
            [[say(f"games.{key}"), _shown(value)] for key, value in facts.items() if key != "name"],
        )


def _facts(name: str) -> dict[str, Any]:
    """The parameters (with their usual values) and the properties of a game.

    Of a game that needs parameters nothing but these is known.
    """
    from joute.core.interface import parameters, properties
    from joute.core.registry import make, needed

    lacking = needed(name)
    if lacking:
        return {"name": name, "needed": lacking}
    game = make(name)
    facts = properties(game)._asdict()
    return {"name": name, "parameters": parameters(game), **facts}


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return say("games.yes" if value else "games.no")
    if isinstance(value, dict):
        return "  ".join(f"{key}={written(each)}" for key, each in value.items())
    if isinstance(value, list):
        return ", ".join(value)
    if isinstance(value, tuple):
        return " - ".join(str(each) for each in value)
    return str(value)
