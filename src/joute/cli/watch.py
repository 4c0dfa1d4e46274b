"""`joute watch BOT`: checks a bot and plays a quick match again at each save of its files."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Annotated

import typer

from joute.cli.output import Progress
from joute.cli.usage import Parameters, Stopped, UsualGame
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.cli.checking import Finding
    from joute.cli.trial import Trial
    from joute.host.names import BotSpec

OPPONENT = "builtin:greedy"
ROUNDS = 5  # of each seat, in a match
SEED = "watch"  # the same deals each time: what changes is the bot
_EVERY_SECONDS = 0.3  # the files are looked at
_BESIDE = (".py", ".toml")
_MOST_LINES = 12  # of what a check found

Files = dict[Path, tuple[int, int]]
"""The files of a bot, with the time at which each was changed, in nanoseconds, and its size."""


def watch(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="help.bot")],
    game: UsualGame = None,
    param: Parameters = None,
    move_seconds: Annotated[
        float | None,
        typer.Option("--move-seconds", metavar="T", help="help.move_seconds", min=0.001),
    ] = None,
    against: Annotated[
        str, typer.Option("--against", metavar="BOT", help="help.watch.against")
    ] = OPPONENT,
    games: Annotated[
        int | None, typer.Option("--games", metavar="N", help="help.watch.games", min=0)
    ] = None,
    python: Annotated[
        str | None, typer.Option("--python", metavar="PROGRAM", help="help.check.python")
    ] = None,
) -> None:
    """The command; its help is in the catalogs."""
    from joute.cli.check import contest_beside, terms_of
    from joute.cli.trial import Trial
    from joute.errors import Error
    from joute.host.names import parse_bot

    spec = parse_bot(bot, python=python)
    parse_bot(against)
    beside = contest_beside(bot) if game is None and param is None else None
    terms, _ = terms_of(beside, game, param, None if beside else move_seconds)
    for changed in _changes(spec):
        print(say("watch.at", time=time.strftime("%X"), files=", ".join(changed) or bot))
        try:
            trial = Trial(bot, terms, python)
            if _checked(trial) and games != 0 and len(trial.seats) > 1:
                _print_match(trial, bot, against, games)
        except (Error, OSError) as error:
            if type(error).__name__ == "MatchInterrupted":
                raise Stopped(say("error.interrupted")) from None
            print(f"  {error}")
        print(say("watch.waits"), flush=True)


def _changes(bot: BotSpec) -> Iterator[list[str]]:
    """The names of the files that have changed since, each time that some have; at first none."""
    known = files_of(bot)
    yield []
    while True:
        _pause()
        found = files_of(bot)
        if found != known:
            settled = None
            while settled != found:  # an editor may write a file in several steps
                settled = found
                _pause()
                found = files_of(bot)
            every = found.keys() | known.keys()
            names = sorted({path.name for path in every if found.get(path) != known.get(path)})
            known = found
            yield names


def _pause() -> None:
    time.sleep(_EVERY_SECONDS)


def files_of(bot: BotSpec) -> Files:
    """The files of a bot that is a folder; of another, those beside it that it may depend on.

    Such a bot reads no data beside it, so these are its sources and the contest it is checked for.
    """
    from joute.host.building.order import hidden

    path = bot.path
    if path is None:
        return {}
    found: Files = {}
    folder = path if path.is_dir() else path.parent
    for file in folder.rglob("*") if path.is_dir() else folder.iterdir():
        if hidden(file.relative_to(folder).as_posix()):
            continue
        if folder != path and file.suffix not in (*_BESIDE, path.suffix):
            continue
        with suppress(OSError):  # it has gone meanwhile
            status = file.stat()
            if S_ISREG(status.st_mode):
                found[file] = (status.st_mtime_ns, status.st_size)
    return found


def _checked(trial: Trial) -> bool:
    """Prints what the checks find, in a line where nothing is wrong; whether it is fit to play."""
    from joute.cli.checking import Checker

    with Progress() as progress:
        found = list(Checker(trial, progress.update).run())
    wrong = [each for each in found if each.verdict in ("failed", "unknown")]
    for each in wrong:
        print("\n".join(_lines(each)))
    if not wrong:
        print("  " + say("watch.fine", count=len(found), time=_time(found)))
    return found[0].ok


def _lines(finding: Finding) -> list[str]:
    verdict, name = say(f"check.{finding.verdict}"), say(f"check.name.{finding.check}")
    line = say("check.line", verdict=verdict, name=name, said=finding.said)
    detail = finding.detail[:_MOST_LINES]
    more = ["..."] if len(finding.detail) > _MOST_LINES else []
    return [f"  {line}", *(f"    {each}" for each in [*detail, *more])]


def _time(found: list[Finding]) -> str:
    return next((each.said for each in found if each.check == "time"), "")


def _print_match(trial: Trial, bot: str, against: str, games: int | None) -> None:
    """Prints what a few games come to. Raises the errors of `run_match`."""
    from joute.contest.config.default_names import default_name
    from joute.contest.report.cells import RESULTS, SCORE, cell
    from joute.contest.run.match import run_match
    from joute.i18n.recognised import recognised

    seats = len(trial.seats)
    entry = {"bot": bot, **({"python": trial.bot.python} if trial.bot.python else {})}
    with Progress() as progress:
        result = run_match(
            trial.game_name,
            trial.parameters,
            [entry, *[against] * (seats - 1)],
            games or seats * ROUNDS,
            SEED,
            {"move_seconds": trial.move_seconds},
            1,
            progress.update,
        )
    for failure in result.failures[:1]:  # as where a file was changed meanwhile
        print("  " + say("watch.unplayed", reason=recognised(str(failure.reason))))
    if not result.games:
        return
    name = default_name(bot)
    line = next(each for each in result.standings if each.name == name)
    score = cell(line, SCORE)
    values = {"score": score.text, "low": score.low, "high": score.high}
    results = cell(line, RESULTS).text
    print("  " + say("watch.match", against=against, results=results, **values))
    for fault in line.faults:
        print("  " + say("watch.fault", fault=say(f"fault.{fault.fault}"), count=fault.count))
