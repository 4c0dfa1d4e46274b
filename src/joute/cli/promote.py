"""`joute promote NEW OLD`: is a bot's new version better than its old one?"""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from joute.cli.match import (
    MaxGames,
    Sprt,
    check_started,
    even,
    hypotheses,
    print_repeated,
    print_test,
)
from joute.cli.output import Progress, print_json
from joute.cli.standings import print_failures, print_faults
from joute.cli.usage import (
    DONE,
    FAILED,
    GameName,
    Json,
    Maps,
    MoveSeconds,
    Parameters,
    Seed,
    Stopped,
    Workers,
    parameter_values,
)
from joute.i18n.figures import duration
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.run.match import MatchResult

USUAL = "0,50"  # some 300 games where one of the two is true
PROMOTE, KEEP = "promote", "keep"


def promote(
    new: Annotated[str, typer.Argument(metavar="NEW", help="help.promote.new")],
    old: Annotated[str, typer.Argument(metavar="OLD", help="help.promote.old")],
    game: GameName,
    maps: Maps = None,
    sprt: Sprt = USUAL,
    max_games: MaxGames = None,
    seed: Seed = None,
    move_seconds: MoveSeconds = 10.0,
    param: Parameters = None,
    workers: Workers = None,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    from joute.contest.rating.sprt import H1
    from joute.contest.run.match import MatchInterrupted, run_match

    parameters = parameter_values(param)
    check_started([new, old], game, parameters)
    stopped = None
    try:
        with Progress() as progress:
            result = run_match(
                game,
                parameters,
                [new, old],
                even(max_games),
                seed,
                {"move_seconds": move_seconds},
                workers,
                progress.update,
                maps=maps or (),
                test=hypotheses(sprt or USUAL),
            )
    except MatchInterrupted as error:
        stopped, result = error, error.result
    test = result.test
    verdict: str | None = PROMOTE if test is not None and test.decision == H1 else KEEP
    if stopped is not None:
        verdict = None
    if json:
        print_json({"verdict": verdict, "test": test, "seed": result.seed,
                    "standings": result.standings, "failures": result.failures,
                    "games": len(result.games), "distinct": result.distinct})  # fmt: skip
    elif stopped is None or result.games:
        if verdict is not None:
            print(say(f"promote.{verdict}", new=new, old=old))
        _print(result)
    if stopped is not None:
        raise Stopped(say("match.stopped", done=stopped.done, total=stopped.total))
    return DONE if verdict == PROMOTE else FAILED


def _print(result: MatchResult) -> None:
    """Prints what the test came to, and the games that it rests on."""
    if result.test is not None:
        print_test(result.test)
    print_repeated(result)
    for line in result.standings:
        print_faults(line.name, line.faults, line.forfeits)
    print_failures(result.failures)
    games, time = len(result.games), duration(result.seconds)
    print(say("match.sum", games=games, time=time, seed=quote(result.seed)))
