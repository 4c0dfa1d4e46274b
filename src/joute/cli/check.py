"""`joute check BOT`: is a bot ready for a contest?"""

from __future__ import annotations

import subprocess
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from joute.cli.output import Progress
from joute.cli.usage import (
    DONE,
    FAILED,
    Json,
    Parameters,
    UsageFault,
    UsualGame,
    game_or_usual,
    parameter_values,
    written,
)
from joute.i18n.figures import plain
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.cli.checking import Finding
    from joute.cli.trial import Trial
    from joute.contest.config.submission import SubmissionRules
    from joute.play.game import GameSpec


USUAL_MOVE_SECONDS = 10.0
PATIENCE = 60.0  # seconds, for an interpreter to say its version
PROJECT = "contest.toml"  # beside a bot, as `joute new` makes it


def check(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="help.bot")],
    game: UsualGame = None,
    param: Parameters = None,
    move_seconds: Annotated[
        float | None,
        typer.Option(
            "--move-seconds",
            metavar="T",
            help="help.move_seconds",
            min=0.001,
            show_default=f"{USUAL_MOVE_SECONDS:g}",
        ),
    ] = None,
    contest: Annotated[
        Path | None, typer.Option("--contest", metavar="FILE", help="help.check.contest")
    ] = None,
    python: Annotated[
        str | None, typer.Option("--python", metavar="PROGRAM", help="help.check.python")
    ] = None,
    skip: Annotated[
        list[str] | None, typer.Option("--skip", metavar="CHECK", help="help.check.skip")
    ] = None,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    from joute.cli.checking import CHECKS, Checker, built_now
    from joute.cli.trial import Trial
    from joute.host.names import parse_bot

    skipped = frozenset(skip or ())
    for name in skipped - CHECKS.keys():
        raise UsageFault(say("error.choice", value=name, known=", ".join(CHECKS)))
    if contest is None and game is None and param is None and move_seconds is None:
        contest = contest_beside(bot)
    terms, rules = terms_of(contest, game, param, move_seconds)
    findings: list[Finding] = []

    def tell(finding: Finding) -> None:
        if json:
            _print_json(finding, first=not findings)
        else:
            _print(finding)
        findings.append(finding)

    if python is not None:
        _check_python(python)
    with Progress() as progress:
        made = built_now(parse_bot(bot, python=python))
        if made is not None:
            tell(made)
        if made is None or made.ok:
            trial = Trial(bot, terms, python)
            told = json
            for finding in Checker(trial, progress.update, rules).run(skipped):
                if not told:  # a bot that is none is refused without a word on games
                    _print_terms(trial, contest)
                    told = True
                tell(finding)
    if json:
        print("]")
    return DONE if all(each.ok or each.remark for each in findings) else FAILED


def _check_python(program: str) -> None:
    """Raises UsageFault for a program that is no Python 3; of one that cannot run the start tells.

    Without this its end would look as if the machine were too busy to start a bot.
    """
    asked = [program, "-c", "import sys; print(sys.version_info[0])"]
    try:
        told = subprocess.run(asked, capture_output=True, timeout=PATIENCE, check=False)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return
    if told.stdout.strip() != b"3":
        raise UsageFault(say("check.no_python", program=program))


def contest_beside(bot: str) -> Path | None:
    """The contest's file in the folder of a bot, or in that around it where the bot is a folder."""
    from joute.host.names import parse_bot

    path = parse_bot(bot).path
    folders = [] if path is None else [path, path.parent] if path.is_dir() else [path.parent]
    found = (folder / PROJECT for folder in folders)
    return next((each for each in found if each.is_file()), None)


def _print_terms(trial: Trial, contest: Path | None) -> None:
    """The line on what the bot is tried in, first of all."""
    values = {key: written(value) for key, value in trial.parameters.items()}
    shown = [f"{key}={value}" for key, value in values.items() if value]
    game = " ".join([trial.game_name, *shown])
    line = say("check.terms", game=game, seconds=plain(trial.move_seconds))
    print(line if contest is None else say("check.terms_of", terms=line, contest=contest))


def terms_of(
    contest: Path | None, game: str | None, param: list[str] | None, move_seconds: float | None
) -> tuple[GameSpec, SubmissionRules | None]:
    """The games that a bot is tried in, and what is asked of its files if it is for a contest.

    A contest's games are those on its first map.
    """
    from joute.host.limits import Limits
    from joute.play.game import GameSpec, usual_costs

    if contest is not None:
        for name, given in (("--game", game), ("--param", param), ("--move-seconds", move_seconds)):
            if given is not None:
                raise UsageFault(say("check.told_twice", option=name))
        from joute.contest.config.config import rules
        from joute.contest.run.tasks import game_terms

        wanted = rules(contest)
        return game_terms(wanted), wanted.submission
    game = game_or_usual(game)
    terms = GameSpec(
        game=game,
        parameters=parameter_values(param),
        bots=(),
        seed="",
        limits=Limits(move_seconds=move_seconds or USUAL_MOVE_SECONDS),
        costs=usual_costs(game),
    )
    return terms, None


def _print_json(finding: Finding, first: bool) -> None:
    """One line of the JSON list, as soon as it is known: who reads along need not wait."""
    text = dumps(finding._asdict(), ensure_ascii=False)
    print("[" if first else ",", text, sep="\n", flush=True)


def _print(finding: Finding) -> None:
    verdict = say(f"check.{finding.verdict}")
    name = say(f"check.name.{finding.check}")
    print(say("check.line", verdict=verdict, name=name, said=finding.said), flush=True)
    for line in finding.detail:
        print(f"         {line}", flush=True)
