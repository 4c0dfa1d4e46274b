"""`joute strength GAME`: every built-in player against every other, and who is best.

Those that think by time have the same; levels of so many nodes or simulations are anchors. It is a
contest like any other, so its folder can be kept, gone on with, plotted and served.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from math import comb
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from joute.cli.match import check_started
from joute.cli.output import Progress, print_json
from joute.cli.standings import print_failures, print_standings
from joute.cli.usage import (
    DONE,
    FAILED,
    GameArgument,
    Json,
    Maps,
    Parameters,
    Seed,
    Stopped,
    UsageFault,
    Workers,
    check_file,
    parameter_values,
)
from joute.files import put
from joute.i18n.figures import duration, plain
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.config.contest import Contest
    from joute.contest.report.report import Report
    from joute.contest.schedule.schedule import Schedule

MOST_GAMES = 1_000  # of a pair: the minutes end it
GAMES_ALONE = 4  # of each bot on each map
CONTEST = "contest.toml"


def strength(
    game: GameArgument,
    bots: Annotated[
        list[str] | None, typer.Argument(metavar="BOT...", help="help.strength.bots")
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", metavar="T", help="help.move_seconds", min=0.001)
    ] = 0.1,
    minutes: Annotated[
        float, typer.Option("--minutes", metavar="M", help="help.strength.minutes", min=0.01)
    ] = 10.0,
    maps: Maps = None,
    folder: Annotated[
        Path | None, typer.Option("--folder", metavar="FOLDER", help="help.strength.folder")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="help.strength.plot")
    ] = None,
    seed: Seed = None,
    param: Parameters = None,
    workers: Workers = None,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    from joute.contest.errors import Interrupted
    from joute.contest.report.plots import RATING, picture
    from joute.contest.report.report import read_report
    from joute.contest.run.runner import run_contest

    check_file("--plot", plot)
    settings = {"seed": seed, "minutes": minutes, "workers": workers}
    parameters = parameter_values(param)
    asked = {"name": game, **parameters, **({"maps": maps} if maps else {})}
    with _kept(folder) as kept:
        contest = _contest(asked, bots or (), seconds, {**settings, "folder": str(kept)})
        _check_folder(contest)
        check_started(bots or (), game, parameters)
        _announce(contest, seconds, minutes)
        _compile(contest)
        summary = None  # of a run that was stopped
        with Progress() as progress, suppress(Interrupted):
            clock = _by_the_clock(progress, 60 * minutes)
            summary = run_contest(contest, clock, trust=True, schedule=_spread)
        report = read_report(contest)
        if plot is not None and report.done:
            put(plot, picture(report, RATING).written())
    met, pairs = _met(report)
    if json:
        told = {"summary": summary, "standings": report.table, "pairs_met": met, "pairs": pairs}
        print_json(told)
    elif report.done:
        _print(report, met, pairs)
    if summary is None:
        key = "strength.stopped" if folder is None else "strength.stopped_kept"
        raise Stopped(say(key, games=report.done))
    if not json:
        print_failures(summary.failures)
        games, spent = summary.played + summary.already, duration(summary.seconds)
        print(say("match.sum", games=games, time=spent, seed=quote(summary.seed)))
    return FAILED if summary.failed else DONE


def _print(report: Report, met: int, pairs: int) -> None:
    """Prints the table and the plot."""
    from joute.cli.plot import text_plot
    from joute.contest.report.plots import RATING

    print_standings(report.table, report.contest.name)
    if met < pairs:
        print(say("strength.unmet", met=met, pairs=pairs))
    print(f"\n{text_plot(report, RATING)}")


def _contest(
    game: Mapping[str, Any], others: Sequence[str], seconds: float, settings: Mapping[str, Any]
) -> Contest:
    """The contest of the built-in players that play this game, and the `others`."""
    from joute.bots.ladder import field, with_time
    from joute.contest.config.config import resolve_data
    from joute.contest.ranking.rules import SCORE
    from joute.core.registry import make

    tables: dict[str, Any] = {
        "contest": {key: value for key, value in settings.items() if value is not None},
        "game": game,
        "limits": {"move_seconds": seconds},
    }
    tables["contest"]["name"] = f"strength-{game['name']}"
    empty = resolve_data(tables, where="strength", base=Path.cwd(), bots=False)
    if empty.players == 1:
        tables["contest"]["games"] = GAMES_ALONE
    else:  # how many were beaten says nothing while some have met more than others
        tables["contest"] |= {"games": MOST_GAMES, "ranking": [SCORE]}
    players = field([make(empty.game, **each.parameters) for each in empty.maps])
    tables["bots"] = [
        *({"bot": f"builtin:{with_time(bot, seconds)}", "name": bot} for bot in players),
        *({"bot": bot} for bot in others),
    ]
    return resolve_data(tables, where="strength", base=Path.cwd())


def _spread(contest: Contest, seed: str) -> Schedule:
    """The games of the contest in an order for which time may run out."""
    from joute.contest.schedule.formats import schedule_of
    from joute.contest.schedule.round_robin import SpreadRoundRobin

    if contest.players == 1:
        return schedule_of(contest, seed)
    names, maps = [bot.name for bot in contest.bots], [each.name for each in contest.maps]
    return SpreadRoundRobin(names, seed, contest.max_games, seats=contest.players, maps=maps)


def _met(report: Report) -> tuple[int, int]:
    """The number of pairs of bots that have met, and of all pairs."""
    if report.alone:
        return 0, 0
    return len(report.cross) // 2, comb(len(report.ranked), 2)


def _compile(contest: Contest) -> None:
    """Compiles what the built-in players need: the minutes are for games."""
    from joute.cli.warm import compile_bots
    from joute.core.registry import make

    games = [make(contest.game, **each.parameters) for each in contest.maps]
    compile_bots([(game, bot.bot) for bot in contest.bots for game in games], sys.stderr)


@contextmanager
def _kept(folder: Path | None) -> Iterator[Path]:
    """The folder of the games: the one asked for, or one that is gone afterwards."""
    if folder is not None:
        yield folder.resolve()
        return
    with TemporaryDirectory(prefix="joute-strength-") as temporary:
        yield Path(temporary)


def _check_folder(contest: Contest) -> None:
    """Raises UsageFault if the folder holds anything but games of this contest."""
    from joute.contest.folder import has_store, opened_store

    folder = Path(contest.folder)
    if has_store(folder):
        with opened_store(folder) as store:
            last = store.configurations()[-1:]
        if not last or json.loads(last[0])["name"] == contest.name:
            return
    elif not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    raise UsageFault(say("strength.another", folder=folder))


def _by_the_clock(progress: Progress, seconds: float) -> Callable[..., None]:
    """Shows progress towards as many games as the time is likely to allow."""
    started, before = time.monotonic(), -1

    def update(done: int, total: int, *_more: object) -> None:
        nonlocal before
        before = done if before < 0 else before
        spent = max(time.monotonic() - started, 1e-9)
        expected = before + round((done - before) * max(seconds / spent, 1.0))
        progress.update(done, min(total, max(expected, done + 1)))

    return update


def _announce(contest: Contest, seconds: float, minutes: float) -> None:
    """Says on standard error who plays, who has how much time, and how long it takes."""
    from joute.bots.ladder import is_anchor

    told = {"bots": len(contest.bots), "seconds": plain(seconds), "time": duration(60 * minutes)}
    names = ", ".join(bot.name for bot in contest.bots)
    print(say("strength.announced", **told, names=names), file=sys.stderr, flush=True)
    anchors = ", ".join(bot.name for bot in contest.bots if is_anchor(bot.bot))
    if anchors:
        print(say("strength.anchors", names=anchors), file=sys.stderr, flush=True)
