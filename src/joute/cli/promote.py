"""`joute promote NEW OLD`: is a bot's new version better than its old one?"""

from __future__ import annotations

from typing import Annotated

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
    from joute.contest.errors import Interrupted
    from joute.contest.rating.sprt import H1
    from joute.contest.run.match import run_match

    parameters = parameter_values(param)
    check_started([new, old], game, parameters)
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
    except Interrupted as stopped:
        raise Stopped(say("match.stopped", done=stopped.done, total=stopped.total)) from None
    test = result.test
    better = test is not None and test.decision == H1
    if json:
        print_json({"verdict": PROMOTE if better else KEEP, "test": test, "seed": result.seed,
                    "standings": result.standings, "failures": result.failures,
                    "games": len(result.games), "distinct": result.distinct})  # fmt: skip
        return DONE if better else FAILED
    print(say(f"promote.{PROMOTE if better else KEEP}", new=new, old=old))
    if test is not None:
        print_test(test)
    print_repeated(result)
    for line in result.standings:
        print_faults(line.name, line.faults, line.forfeits)
    print_failures(result.failures)
    games, time = len(result.games), duration(result.seconds)
    print(say("match.sum", games=games, time=time, seed=result.seed))
    return DONE if better else FAILED
