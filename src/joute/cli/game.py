"""`joute game check GAME`: what is wrong with the rules of a game, and how fast they are."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from joute.cli.output import print_json
from joute.cli.usage import DONE, FAILED, GameArgument, Json, Parameters, parameter_values
from joute.i18n.figures import figure
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.library.checking import BrokenLaw

_SHOWN = 40  # actions of a sequence


def check(
    game: GameArgument,
    param: Parameters = None,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="T", help="help.game.check.seconds", min=0.1)
    ] = 10.0,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    from joute.core.registry import make
    from joute.library.checking import Speed, check_game

    def hear(stage: str) -> None:
        if not json and sys.stderr.isatty():
            print(say(f"game.check.{stage}"), file=sys.stderr)

    made = make(game, **parameter_values(param))
    broken: list[BrokenLaw] = []
    for found in check_game(made, seconds, hear):
        if isinstance(found, Speed):
            if json:
                print_json({"game": game, "broken": [], **found._asdict()})
                continue
            print(say("game.check.passed", game=game, games=found.games, plies=found.plies))
            plain, compiled = figure(found.plain), figure(found.compiled)
            print(say("game.check.speed", plain=plain, compiled=compiled))
        else:
            broken.append(found)
            if not json:
                _show(found)
    if json and broken:
        told = [{**each._asdict(), "law": str(each.law)} for each in broken]
        print_json({"game": game, "broken": told})
    return FAILED if broken else DONE


def _show(found: BrokenLaw) -> None:
    print(say("game.check.broken", law=found.law))
    if found.where:
        print(f"  {found.where}")
    if found.seed is not None:
        texts = [*found.texts[:_SHOWN], *(["..."] if len(found.texts) > _SHOWN else [])]
        key = "game.check.after" if found.actions else "game.check.first"
        print("  " + say(key, seed=found.seed, count=len(found.actions), actions="; ".join(texts)))


COMMANDS = (check,)
