"""`joute check BOT`: is a bot ready for a contest?"""

from __future__ import annotations

from typing import Annotated

import typer

from joute.cli.exits import DONE, FAILED, UsageFault
from joute.cli.options import GameName, Json, MoveSeconds, Parameters, parameter_values
from joute.cli.progress import Progress
from joute.cli.tables import print_json
from joute.cli.usage import Command
from joute.cli.words import say


def add_to(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("check", cls=Command, help="help.check")(check)


def check(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="help.bot")],
    game: GameName = "virus",
    param: Parameters = None,
    move_seconds: MoveSeconds = 10.0,
    skip: Annotated[
        list[str] | None, typer.Option("--skip", metavar="CHECK", help="help.check.skip")
    ] = None,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    from joute.cli.checking import CHECKS, Checker, Finding

    skipped = frozenset(skip or ())
    for name in skipped - set(CHECKS[1:]):
        raise UsageFault(say("error.choice", value=name, known=", ".join(CHECKS[1:])))
    done = 0

    def advance() -> None:
        nonlocal done
        done += 1
        progress.update(done)

    checker = Checker(bot, game, parameter_values(param), move_seconds, advance)
    findings: list[Finding] = []
    with Progress(checker.steps()) as progress:
        for finding in checker.run(skipped):
            findings.append(finding)
            if not json:
                _print(finding)
    if json:
        print_json([finding._asdict() for finding in findings])
    return DONE if all(finding.ok for finding in findings) else FAILED


def _print(finding: "Finding") -> None:
    verdict = say("check.ok" if finding.ok else "check.failed")
    print(f"{verdict:8} {say(f'check.name.{finding.check}')}: {finding.said}", flush=True)
    for line in finding.detail:
        print(f"         {line}", flush=True)
