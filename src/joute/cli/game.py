"""`joute game`: what is wrong with the rules of a game, how fast they are, and a play to read."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from joute.cli.output import print_json
from joute.cli.usage import DONE, FAILED, GameArgument, Json, Parameters, parameter_values
from joute.i18n.figures import figure
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.library.checking import BrokenLaw, Remark, Speed

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
    from joute.core.maps import with_map
    from joute.core.registry import made_of
    from joute.library.checking import Remark, Speed, check_game

    def hear(stage: str) -> None:
        if not json and sys.stderr.isatty():
            print(say(f"game.check.{stage}"), file=sys.stderr)

    made = made_of(game, **with_map(game, parameter_values(param)))
    broken: list[BrokenLaw] = []
    notes: list[Remark] = []
    speed = None
    for found in check_game(made, seconds, hear):
        if isinstance(found, Speed):
            speed = found
        elif isinstance(found, Remark):
            notes.append(found)
        else:
            broken.append(found)
            if not json:
                _show(found)
    if json:
        told = [{**each._asdict(), "law": str(each.law), "key": _key(each)} for each in broken]
        remarks = [str(each.text) for each in notes]
        facts = speed._asdict() if speed else {}
        print_json({"game": game, "broken": told, "notes": remarks, **facts})
    elif speed:
        _praise(game, speed)
        for each in notes:
            print(say("game.check.note", text=each.text))
    return FAILED if broken else DONE


def _key(found: BrokenLaw) -> str:
    """A short name of the law, the same in every language."""
    return found.law.key.removeprefix("error.law.")


def _show(found: BrokenLaw) -> None:
    print(say("game.check.broken", law=found.law))
    if found.file:
        key = "game.check.where" if found.operation else "game.check.line"
        print("  " + say(key, file=found.file, line=found.line, operation=found.operation))
    texts = [*found.texts[:_SHOWN], *(["..."] if len(found.texts) > _SHOWN else [])]
    facts = {"seed": found.seed, "count": len(found.actions), "actions": "; ".join(texts)}
    if found.seed is not None:
        print("  " + say("game.check.after" if found.actions else "game.check.first", **facts))
    elif found.actions:  # no random game's
        print("  " + say("game.check.listed", **facts))


def _praise(game: str, speed: Speed) -> None:
    key = "game.check.passed" if speed.games else "game.check.passed.part"
    print(say(key, game=game, games=speed.games, plies=speed.plies))
    plain, compiled = figure(speed.plain), figure(speed.compiled)
    print(say("game.check.speed", plain=plain, compiled=compiled))


def playthrough(game: GameArgument, param: Parameters = None) -> None:
    """The command; its help is in the catalogs."""
    from joute.core.maps import with_map
    from joute.core.registry import make
    from joute.library.playthrough import play_lines

    made = make(game, **with_map(game, parameter_values(param)))
    print("\n".join(play_lines(made)))


COMMANDS = (check, playthrough)
