"""`joute compare GAME BOT BOT`: which of two bots plays better, and at what cost, in one table."""

from __future__ import annotations

import secrets
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from joute.cli.exits import DONE, INTERRUPTED, Stopped, UsageFault
from joute.cli.options import GameArgument, Json, MoveSeconds, Parameters, Seed, parameter_values
from joute.cli.progress import Progress
from joute.cli.tables import print_json
from joute.cli.usage import Command
from joute.files import put
from joute.i18n.figures import duration
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.study import Study

USUAL_SECONDS = 60.0
TRIAL_SECONDS = 1.0  # of games, before it is said how long a number of games will take


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("compare", cls=Command, help="help.compare")(compare)


def compare(
    game: GameArgument,
    first: Annotated[str, typer.Argument(metavar="BOT", help="help.compare.bot")],
    second: Annotated[str, typer.Argument(metavar="BOT", help="help.compare.other")],
    games: Annotated[
        int | None, typer.Option("--games", metavar="N", help="help.compare.games", min=2)
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", metavar="T", help="help.compare.seconds", min=0.001)
    ] = None,
    move_seconds: MoveSeconds = 1.0,
    judge: Annotated[
        str | None, typer.Option("--judge", metavar="BOT", help="help.compare.judge")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="help.compare.plot")
    ] = None,
    seed: Seed = None,
    param: Parameters = None,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    from joute.cli.compare_chart import chart
    from joute.cli.compare_table import print_comparison
    from joute.contest.study import Study

    if games is not None and games % 2:
        raise UsageFault(say("match.rotated", games=games, seats=2))
    if plot is not None and not plot.resolve().parent.is_dir():
        raise UsageFault(say("compare.no_folder", folder=plot.resolve().parent))
    study = Study(
        game,
        parameter_values(param),
        (first, second),
        seed or secrets.token_hex(8),
        move_seconds=move_seconds,
        judge=judge,
    )
    if games is None and seconds is None:
        seconds = USUAL_SECONDS
    stopped = False
    try:
        _play(study, games, seconds)
    except KeyboardInterrupt:
        if study.pairs == 0:
            raise Stopped(say("compare.nothing")) from None
        stopped = True
    found = study.comparison()
    if json:
        print_json(found)
    else:
        print_comparison(found)
    if plot is not None:
        put(plot, chart(found))
    if stopped:
        print(f"joute: {say('compare.stopped', games=2 * found.pairs)}", file=sys.stderr)
    return INTERRUPTED if stopped else DONE


def _play(study: Study, games: int | None, seconds: float | None) -> None:
    """Plays so many games, or pairs for so long; the first pair is played in any case."""
    if seconds is not None:
        _tell(say("compare.for_seconds", time=duration(seconds)))
    study.warm_up()
    started = time.monotonic()
    told = seconds is not None
    with Progress() as progress:
        while True:
            study.play_pair()
            spent, played = time.monotonic() - started, 2 * study.pairs
            if played == games or (seconds is not None and spent >= seconds):
                return
            total = games or played
            if seconds is not None:
                total = min(games or sys.maxsize, round(played * seconds / spent))
            elif not told and spent >= TRIAL_SECONDS:
                told = True
                left = duration(spent * (total - played) / played)
                _tell(say("compare.for_games", games=games, time=left))
            progress.update(played, total)


def _tell(sentence: str) -> None:
    """Says on standard error what is going to happen; the answer is for standard output."""
    print(sentence, file=sys.stderr, flush=True)
