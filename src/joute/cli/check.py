"""`joute check BOT`: is a bot ready for a contest?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from joute.cli.exits import DONE, FAILED, UsageFault
from joute.cli.options import GameName, Json, MoveSeconds, Parameters, parameter_values
from joute.cli.progress import Progress
from joute.cli.tables import print_json
from joute.cli.usage import Command
from joute.cli.words import say

if TYPE_CHECKING:
    from joute.cli.checking import Finding


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("check", cls=Command, help="help.check")(check)


def check(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="help.bot")],
    game: GameName = "virus",
    param: Parameters = None,
    move_seconds: MoveSeconds = 10.0,
    python: Annotated[
        str | None, typer.Option("--python", metavar="PROGRAM", help="help.check.python")
    ] = None,
    skip: Annotated[
        list[str] | None, typer.Option("--skip", metavar="CHECK", help="help.check.skip")
    ] = None,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    from joute.cli.checking import CHECKS, Checker
    from joute.cli.trial import Trial

    skipped = frozenset(skip or ())
    for name in skipped - CHECKS.keys():
        raise UsageFault(say("error.choice", value=name, known=", ".join(CHECKS)))
    trial = Trial(bot, game, parameter_values(param), move_seconds, python)
    findings: list[Finding] = []
    with Progress() as progress:
        for finding in Checker(trial, progress.update).run(skipped):
            findings.append(finding)
            if not json:
                _print(finding)
    if json:
        print_json([finding._asdict() for finding in findings])
    return DONE if all(finding.ok for finding in findings) else FAILED


def _print(finding: Finding) -> None:
    verdict = say("check.ok" if finding.ok else "check.failed")
    name = say(f"check.name.{finding.check}")
    print(say("check.line", verdict=verdict, name=name, said=finding.said), flush=True)
    for line in finding.detail:
        print(f"         {line}", flush=True)
