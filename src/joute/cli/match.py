"""`joute match GAME BOT...`: a few games at once, a person among the players if need be."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from joute.cli.output import Progress, print_json
from joute.cli.standings import print_failures, print_standings
from joute.cli.usage import (
    DONE,
    FAILED,
    CheckFault,
    GameArgument,
    Json,
    Maps,
    MoveSeconds,
    Parameters,
    Seed,
    Stopped,
    UsageFault,
    Workers,
    parameter_values,
)
from joute.i18n.figures import duration, percent
from joute.i18n.words import say, say_of

if TYPE_CHECKING:
    from joute.contest.rating.sprt import Hypotheses, SequentialResult
    from joute.contest.run.match import MatchResult
    from joute.contest.run.workers import Play
    from joute.play.game import GameResult, GameSpec


HUMAN = "human"


def match(
    game: GameArgument,
    bots: Annotated[list[str], typer.Argument(metavar="BOT...", help="help.match.bots")],
    games: Annotated[
        int | None, typer.Option("--games", metavar="N", help="help.match.games", min=1)
    ] = None,
    maps: Maps = None,
    seed: Seed = None,
    move_seconds: MoveSeconds = 10.0,
    param: Parameters = None,
    workers: Workers = None,
    sprt: Sprt = None,
    max_games: MaxGames = None,
    records: Annotated[
        Path | None, typer.Option("--records", metavar="FOLDER", help="help.match.records")
    ] = None,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    from joute.cli.checking import data_beside
    from joute.contest.rating.sprt import H1
    from joute.contest.run.match import MatchInterrupted, run_match, seats_of
    from joute.core.registry import named
    from joute.host.names import parse_bot

    named(game)  # whoever mistypes the game is told of that before anything of a bot
    parameters = parameter_values(param)
    if json and HUMAN in bots:
        raise UsageFault(say("match.human"))
    test = None if sprt is None else hypotheses(sprt)
    if test is None and max_games is not None:
        raise UsageFault(say("sprt.alone"))
    if test is not None and games is not None:
        raise UsageFault(say("sprt.games"))
    if games is not None and games % (seats := seats_of(game, parameters, len(bots))):
        raise UsageFault(say("match.rotated", games=games, seats=seats))
    try:
        check_started(bots, game, parameters)
    except KeyboardInterrupt:
        total = games or seats_of(game, parameters, len(bots)) * len(maps or [""])
        raise Stopped(say("match.stopped", done=0, total=total)) from None
    stopped = None
    try:
        with Progress() as progress:
            result = run_match(
                game,
                parameters,
                bots,
                games if test is None else even(max_games),
                seed,
                {"move_seconds": move_seconds},
                workers,
                progress.update,
                maps=maps or (),
                folder=records,
                here=_people() if HUMAN in bots else None,
                test=test,
            )
    except MatchInterrupted as error:
        stopped, result = error, error.result
    for bot in bots:
        for line in data_beside(parse_bot(bot)):
            print(line, file=sys.stderr)
    if json:
        print_json(result)
    elif stopped is None or result.games:
        seats = seats_of(game, parameters, len(bots))
        _print_result(result, game, seats, None if records is None else records / "records")
    if stopped is not None:
        raise Stopped(say("match.stopped", done=stopped.done, total=stopped.total))
    accepted = result.test is None or result.test.decision == H1
    return DONE if accepted and not result.failures else FAILED


def _print_result(result: MatchResult, game: str, seats: int, records: Path | None) -> None:
    """Prints the standings of a match, its failures and its test; `records` is their folder."""
    from joute.core.registry import named, path_of

    print_standings(result.standings, game, records, path_of(named(game)))
    print_failures(result.failures)
    if result.test is not None:
        print_test(result.test)
    print_repeated(result)
    # Games that are alike count as often as the table counts them.
    count = sum(line.games for line in result.standings) // seats
    told = {"games": count, "time": duration(result.seconds), "seed": quote(result.seed)}
    print(say_of(count, "match.sum", **told))


def check_started(bots: Sequence[str], game: str, parameters: dict[str, Any]) -> None:
    """Raises CheckFault for the first Python bot that cannot be loaded."""
    for bot in dict.fromkeys(bots):
        if reason := _not_started(bot, game, parameters):
            raise CheckFault(say("match.not_started", bot=bot, reason=reason))


def _not_started(bot: str, game: str, parameters: dict[str, Any]) -> str:
    """The reason why a Python bot cannot be loaded; "" if it can, or is none."""
    from joute.core.errors import GameError
    from joute.core.registry import make
    from joute.host.names import parse_bot
    from joute.i18n.recognised import foreign
    from joute.play.game import GameSpec, SeatSpec
    from joute.play.seats import open_seat, start_message
    from joute.text import in_one_line

    if parse_bot(bot).kind != "python":
        return ""
    seat = SeatSpec(name=bot, bot=bot)
    spec = GameSpec(game=game, parameters=parameters, bots=(seat,), seed="0" * 32)
    try:
        made = make(game, **parameters)
    except GameError:  # it takes its parameters from the number of bots, or from a map
        return ""
    opened = open_seat(seat, spec, made, None)
    try:
        answer = opened.start(start_message(made, 0, [bot], spec.seed, spec.limits.move_seconds))
    finally:
        opened.close()
    return str(foreign(in_one_line(answer.detail))) if answer.fault else ""


def _people() -> Play:
    """Plays a game at this terminal, as `joute play` does."""
    from joute.cli.playing.asking import Left
    from joute.cli.playing.display import make_display
    from joute.cli.playing.session import TerminalGame

    display = make_display(plain=False)

    def play(spec: GameSpec) -> GameResult:
        game = TerminalGame(spec, display)
        try:
            result = game.run()
        except Left:
            raise KeyboardInterrupt from None
        game.tell(result)
        return result

    return play


Sprt = Annotated[str | None, typer.Option("--sprt", metavar="ELO0,ELO1", help="help.sprt")]
MaxGames = Annotated[
    int | None, typer.Option("--max-games", metavar="N", help="help.max_games", min=2)
]


def hypotheses(text: str) -> Hypotheses:
    """Reads the hypotheses of `--sprt 0,50`."""
    from joute.contest.rating.sprt import Hypotheses

    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise UsageFault(say("sprt.two", text=text)) from None
    return Hypotheses(low, high)


def even(games: int | None) -> int | None:
    """A number of games that is one of whole pairs."""
    if games is not None and games % 2:
        raise UsageFault(say("sprt.even", games=games))
    return games


def print_repeated(result: MatchResult) -> None:
    """Says so where most games are others once more, as between bots that always play the same."""
    games = len(result.games)
    if games > 2 and 2 * result.distinct <= games:
        print(say("match.repeated", distinct=result.distinct, games=games))


def print_test(found: SequentialResult) -> None:
    """Prints what a test came to, and what the games say of the difference."""
    first, second = found.bots
    elos = {"elo0": _number(found.elo0, "+g"), "elo1": _number(found.elo1, "+g")}
    print(say(f"sprt.{found.decision or 'undecided'}", first=first, second=second, **elos))
    llr, low, high = (_number(each, ".2f") for each in (found.llr, *found.bounds))
    print(say("sprt.ratio", llr=llr, low=low, high=high))
    counts = ", ".join(map(str, found.pentanomial))
    print(say("sprt.pairs", pairs=found.pairs, first=first, counts=counts))
    if found.score is not None and found.superiority is not None:
        low_end, high_end = found.interval
        print(
            say(
                "sprt.elo",
                elo=_elo(found.elo, found.score),
                low=_elo(low_end, 0.0),
                high=_elo(high_end, 1.0),
                normalized=say("sprt.same")
                if found.normalized_elo is None
                else f"{round(found.normalized_elo):+}",
                superiority=percent(_number(100 * found.superiority, ".1f")),
            )
        )


def _number(value: float, form: str) -> str:
    """A number as is typed, with the decimal mark of the language."""
    return format(value, form).replace(".", say("language.decimal"))


def _elo(elo: float | None, score: float) -> str:
    """An Elo; that of a mean score of 0 or 1 has no end."""
    if elo is None:
        return "-∞" if score < 0.5 else "+∞"
    return f"{round(elo):+}"
