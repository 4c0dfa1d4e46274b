"""`joute play GAME SEAT SEAT...`: people play, against each other and against bots."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from joute.cli.usage import (
    DONE,
    GameArgument,
    Parameters,
    Seed,
    Stopped,
    UsageFault,
    parameter_values,
    rules_given,
)
from joute.files import data_folder, put
from joute.i18n.words import say
from joute.text import free_name

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from joute.cli.playing.display import Lines, Screen
    from joute.cli.playing.session import TerminalGame
    from joute.play.game import GameSpec

MOVE_SECONDS = 10.0
STEPS_A_SECOND = 4.0


def play(
    game: GameArgument,
    seats: Annotated[list[str], typer.Argument(metavar="SEAT...", help="help.play.seats")],
    map_: Annotated[str | None, typer.Option("--map", metavar="MAP", help="help.play.map")] = None,
    seed: Seed = None,
    param: Parameters = None,
    move_seconds: Annotated[
        float | None,
        typer.Option("--move-seconds", metavar="T", help="help.play.move_seconds", min=0.001),
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", metavar="PATH", help="help.play.record")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="help.play.plain")] = False,
    live: Annotated[bool, typer.Option("--live", help="help.play.live")] = False,
    speed: Annotated[
        float, typer.Option("--speed", metavar="S", help="help.play.speed", min=0.1)
    ] = STEPS_A_SECOND,
    wait: Annotated[bool, typer.Option("--wait", help="help.play.wait")] = False,
) -> int:
    """The command; its help is in the catalogs."""
    import secrets

    from joute.cli.playing.asking import Left
    from joute.cli.playing.display import make_display
    from joute.cli.playing.live import RealTimeGame
    from joute.cli.playing.session import TerminalGame, make_spec, with_map
    from joute.play.chance import derive
    from joute.play.people import rematch
    from joute.play.thinkers import Thinkers

    seed = seed or secrets.token_hex(8)
    if move_seconds is None:
        move_seconds = 1 / speed if live else MOVE_SECONDS
    parameters = with_map(game, parameter_values(param), map_)
    spec = make_spec(game, parameters, seats, move_seconds, seed)
    display = make_display(plain)
    if live:
        _check_live(spec, display)
    label = map_ or ""
    number = 1
    thinkers = Thinkers(preparing=True)

    def one() -> None:
        if live:
            played: TerminalGame = RealTimeGame(spec, display, label, speed, thinkers=thinkers)
        else:
            played = TerminalGame(spec, display, label, thinkers=thinkers, waits=wait)
        _one(played, record)

    try:
        one()
        while _again():
            number += 1
            spec = rematch(spec, derive(f"{seed}/{number}", "play"))
            one()
    except (Left, KeyboardInterrupt):
        raise Stopped(say("play.left")) from None
    finally:
        thinkers.close()
    return DONE


def _check_live(spec: GameSpec, display: Lines | Screen) -> None:
    from joute.cli.playing.display import Screen
    from joute.cli.playing.live import MOST_PEOPLE
    from joute.core.registry import card, cards

    if not card(spec.game).realtime:
        known = ", ".join(each.name for each in cards() if each.realtime)
        raise UsageFault(say("play.live_game", game=spec.game, known=known))
    if len(spec.people) > MOST_PEOPLE:
        raise UsageFault(say("play.live_people", most=MOST_PEOPLE))
    if not isinstance(display, Screen):
        raise UsageFault(say("play.live_terminal"))


def _one(played: TerminalGame, record: Path | None) -> None:
    """Plays a game and says how it ended."""
    import os
    from datetime import datetime

    from joute.core.registry import card

    path = record_path(record, card(played.spec.game).name, os.environ, datetime.now())
    result = played.run()
    put(path, result.record)
    played.tell(result)
    rules = map(shlex.quote, rules_given(played.spec.game))
    print(say("play.kept", path=" ".join([as_typed(path), *rules])))


def _again() -> bool:
    """Whether the people want another game; nobody is asked where there is no terminal."""
    import sys

    from joute.cli.terminal import forget_keys

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    forget_keys()
    try:
        answer = input(say("play.again"))
    except (EOFError, KeyboardInterrupt):
        print()  # the game that was played is kept
        return False
    return answer.strip().casefold() in say("play.yes").split()


def as_typed(path: Path) -> str:
    """A path as it is shortest to type: with ~ for the home folder, quoted if need be."""
    home = Path.home()
    if path.is_absolute() and path.is_relative_to(home):
        return f"~/{shlex.quote(str(path.relative_to(home)))}"
    return shlex.quote(str(path))


def record_path(wanted: Path | None, game: str, environ: Mapping[str, str], now: datetime) -> Path:
    """The path of the record of a game: a file that is not there yet, in a folder that is.

    `wanted` is a file (.jsonl) or a folder; without it, the user's folder of games.
    """
    name = f"{game}-{now:%Y%m%d-%H%M%S}.jsonl"
    if wanted is None:
        path = data_folder(environ) / "games" / name
    elif wanted.is_dir() or wanted.suffix != ".jsonl":
        path = wanted / name
    else:
        path = wanted
    path.parent.mkdir(parents=True, exist_ok=True)
    stem = free_name(path.stem, lambda each: path.with_stem(each).exists(), "-")
    return path.with_stem(stem)
