"""`joute games`: the games there are, with what is true of each."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from joute.cli.output import print_json, print_table
from joute.cli.usage import Json, written
from joute.i18n.words import say

COLUMNS = 88  # of the rules, at most
UNBROKEN = 10_000  # columns of the rules as data: a paragraph is a line


def games(
    name: Annotated[str, typer.Argument(metavar="GAME", help="help.games.name")] = "",
    json: Json = False,
) -> None:
    """The command; its help is in the catalogs."""
    from joute.core.registry import card, failed, named, names
    from joute.web.games import about

    found = [_facts(each) for each in ([named(name)] if name else names())]
    if name:
        found = [each | (_players(each["name"]) if "parameters" in each else {}) for each in found]
    else:
        for reason in failed().values():
            print(reason, file=sys.stderr)
    if name:
        from joute.cli.rules import rules_lines
    if json:
        rules = {"rules": "\n".join(rules_lines(card(named(name)), UNBROKEN))} if name else {}
        print_json([each | rules for each in found])
        return
    for facts in found:
        if name:
            print("\n".join([*rules_lines(card(facts["name"]), COLUMNS), ""]))
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


def _players(name: str) -> dict[str, Any]:
    """The built-in bots of a game, and its levels, as its card names them.

    To ask which of the general bots play it too would be to compile them.
    """
    from joute.bots.ladder import levels
    from joute.core.card import LEVELS
    from joute.core.registry import card, make

    brought = card(name)
    known = brought.levels if brought.levels is not LEVELS else levels(make(name))
    own = dict.fromkeys([*brought.bots, *(each.partition("?")[0] for each in known)])
    return {"bots": sorted(own), "levels": list(known)}


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
