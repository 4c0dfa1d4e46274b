"""`joute profile BOT [PATH...]`: how long its answers take, and where a Python bot's time goes."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from joute.cli.output import Progress, print_json, print_table
from joute.cli.usage import (
    DONE,
    FAILED,
    Json,
    Parameters,
    UsageFault,
    UsualGame,
    rules_given,
)
from joute.i18n.words import say, say_of

if TYPE_CHECKING:
    from joute.host.names import BotSpec
    from joute.play.profiling import AnswerTime, FunctionTime, SeatTurns
    from joute.play.seats import Seat

POSITIONS = 20
LINES = 15


class Profile(NamedTuple):
    """The times of a bot, and its functions.

    They are looked at in the turns alone that were answered in order, and up to the first one that
    takes far too long under the profiler: whatever a bot keeps of earlier turns is another there.
    """

    limit_seconds: float
    answers: list[AnswerTime]
    functions: list[FunctionTime] | None  # None for a bot that is not written in Python
    interrupted: str = ""  # the turn that the study ended in; "" where it came to its end


def profile(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="help.bot")],
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH", help="help.profile.paths")
    ] = None,
    game: UsualGame = None,
    param: Parameters = None,
    move_seconds: Annotated[
        float | None,
        typer.Option("--move-seconds", metavar="T", help="help.move_seconds", min=0.001),
    ] = None,
    positions: Annotated[
        int, typer.Option("--positions", metavar="N", help="help.profile.positions", min=1)
    ] = POSITIONS,
    lines: Annotated[
        int, typer.Option("--lines", metavar="N", help="help.profile.lines", min=1)
    ] = LINES,
    python: Annotated[
        str | None, typer.Option("--python", metavar="PROGRAM", help="help.check.python")
    ] = None,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    from joute.core.interface import properties
    from joute.host.names import parse_bot
    from joute.play.profiling import spread

    spec = parse_bot(bot, python=python)
    if paths:
        if param:
            raise UsageFault(say("profile.parameters"))
        seats = list(_recorded(paths, bot))
    else:
        seats = list(_made(bot, game, param, move_seconds, python))
    chosen = spread(seats, positions)
    if not chosen:
        raise UsageFault(say("profile.no_turns"))
    if move_seconds is not None:
        chosen = [each._replace(move_seconds=move_seconds) for each in chosen]
    found = _profiled(spec, chosen)
    if json:
        print_json(_plain(bot, found))
    else:
        given = rules_given(properties(chosen[0].game).name)
        _print(bot, found, lines, given if paths else None)
    return FAILED if any(each.fault for each in found.answers) else DONE


def _recorded(paths: Sequence[Path], bot: str) -> Iterator[SeatTurns]:
    """The turns in these records: those of a bot of this name, or else of all."""
    from joute.cli.steps import records_at, untrue
    from joute.contest.config.default_names import default_name
    from joute.play.profiling import seat_turns
    from joute.play.record import RecordError

    records = list(records_at(paths))
    name = default_name(bot)
    theirs = any(each["name"] == name for _, record in records for each in record.header["bots"])
    for path, record in records:
        try:
            yield from seat_turns(record, f"{path}@{{at}}", name if theirs else None)
        except RecordError as error:
            raise untrue(path, error) from None


def _made(
    bot: str,
    game: str | None,
    param: list[str] | None,
    move_seconds: float | None,
    python: str | None,
) -> Iterator[SeatTurns]:
    """The turns of quick games between built-in bots."""
    import msgspec

    from joute.cli.check import contest_beside, terms_of
    from joute.cli.trial import Trial
    from joute.play.game import SeatSpec
    from joute.play.profiling import seat_turns
    from joute.play.record import read_record
    from joute.play.referee import play_game

    beside = contest_beside(bot) if game is None and param is None else None
    terms, _ = terms_of(beside, game, param, None if beside else move_seconds)
    trial = Trial(bot, terms, python)
    for number, opponent in enumerate(dict.fromkeys(each for _, each in trial.pairings)):
        spec = trial.game(0, opponent, number)
        players = tuple(SeatSpec(name=opponent, bot=opponent) for _ in spec.bots)
        record = read_record(play_game(msgspec.structs.replace(spec, bots=players)).record)
        yield from seat_turns(record, say("check.ply", ply="{ply}", opponent=opponent))


def _profiled(spec: BotSpec, seats: Sequence[SeatTurns]) -> Profile:
    """Asks the bot in all turns under its limits, and a Python bot once more under a profiler."""
    from joute.play.profiling import AnswerTime, ask_along
    from joute.play.seats import check_bot

    for each in seats:
        check_bot(spec, each.game)
    clock = _clock(spec)
    seconds = seats[0].move_seconds
    total = sum(len(each.turns) for each in seats) * (1 + (spec.kind == "python"))
    answers: list[AnswerTime] = []
    in_order: list[SeatTurns] = []
    with Progress() as progress:
        for each in seats:
            seat, turns = _seat(spec, each), []
            try:
                for turn, answer in ask_along(seat, each):
                    fault = answer.fault.value if answer.fault else ""
                    took = round(getattr(answer, clock), 3)
                    output = answer.output if fault else ""
                    answers.append(AnswerTime(turn.label, took, fault, answer.detail, output))
                    progress.update(len(answers), total)
                    turns += [] if fault else [turn]
            finally:
                seat.close()
            in_order.append(each._replace(turns=turns))
        if spec.kind != "python":
            return Profile(seconds, answers, None)
        functions, interrupted = _studied(
            spec, in_order, lambda done: progress.update(len(answers) + done, total)
        )
    return Profile(seconds, answers, functions, interrupted)


def _studied(
    spec: BotSpec, seats: Sequence[SeatTurns], update: Callable[[int], None]
) -> tuple[list[FunctionTime], str]:
    """The functions of a Python bot in these turns, and the turn that was interrupted, or ""."""
    from joute.host.protocol import Fault
    from joute.play.debugging import DebugSeat
    from joute.play.profiling import ask_along, functions

    study = DebugSeat(spec, "profile")
    answers = (each for turns in seats for each in ask_along(study, turns))
    done, interrupted = 0, ""
    try:
        for done, (turn, answer) in enumerate(answers, start=1):
            update(done)
            if answer.fault is Fault.TIMEOUT:
                interrupted = turn.label
                break
        return functions(study.report()) if done else [], interrupted
    finally:
        study.close()


def _clock(spec: BotSpec) -> str:
    """The time of an answer that its limit is for."""
    from joute.host.adapters import seat_of
    from joute.host.building.built import playable

    return "wall_ms" if seat_of(playable(spec).dialect) else "cpu_ms"


def _seat(bot: BotSpec, seats: SeatTurns) -> Seat:
    """The seat of a bot as it has one in a game."""
    from joute.core.interface import parameters, properties
    from joute.host.limits import Limits
    from joute.play.game import GameSpec, SeatSpec
    from joute.play.seats import open_seat

    terms = GameSpec(
        game=properties(seats.game).name,
        parameters=parameters(seats.game),
        bots=(),
        seed=seats.seed,
        limits=Limits(move_seconds=seats.move_seconds),
    )
    seat = SeatSpec(name="bot", bot=bot.text, base=str(Path.cwd()), python=bot.python)
    return open_seat(seat, terms, seats.game, None)


def _print(bot: str, found: Profile, lines: int, rules: list[str] | None) -> None:
    """Prints a profile; `rules` is the option that gives those of the records, if there are any."""
    from joute.cli.trial import explained
    from joute.i18n.figures import plain

    count = len(found.answers)
    print(say_of(count, "profile.answers", count=count, bot=bot, limit=plain(found.limit_seconds)))
    if any(each.fault != "start-up" for each in found.answers):
        _print_times(bot, found, rules)
    for fault, faults in Counter(each.fault for each in found.answers if each.fault).items():
        print("  " + say("profile.fault", fault=say(f"fault.{fault}"), count=faults))
        first = next(each for each in found.answers if each.fault == fault)
        print(
            *(f"    {line}" for line in explained(fault, first.detail, first.output)[1:]), sep="\n"
        )
    if found.functions is None:
        print(say("profile.other"))
    elif all(each.fault for each in found.answers):
        print(say("profile.nothing"))
    elif not found.functions:
        print(say("profile.ended"))
    else:
        _print_functions(found.functions, lines)
    if found.interrupted:
        print(say("profile.interrupted", place=found.interrupted))


def _print_times(bot: str, found: Profile, rules: list[str] | None) -> None:
    from joute.i18n.figures import figure, lasts, percent
    from joute.play.profiling import summary

    times = summary([each.ms for each in found.answers])
    worst = max(found.answers, key=lambda each: each.ms)
    part = percent(figure(times.most / found.limit_seconds / 10, 1))
    values = {"median": times.median, "p95": times.p95, "most": times.most}
    told = {name: lasts(value) for name, value in values.items()}
    print("  " + say("profile.times", **told, part=part))
    print("  " + say("profile.slowest", took=lasts(worst.ms), place=worst.place))
    if rules is not None:
        print(f"    {shlex.join(['joute', 'debug', worst.place, bot, *rules])}")


def _print_functions(functions: Sequence[FunctionTime], lines: int) -> None:
    from joute.i18n.figures import figure

    total = sum(each.own_ms for each in functions) or 1.0
    print()
    print_table(
        [say(f"profile.{each}") for each in ("own", "part", "total", "calls", "function")],
        [
            [
                figure(each.own_ms, 1),
                figure(100 * each.own_ms / total, 1),
                figure(each.total_ms, 1),
                str(each.calls),
                _named(each),
            ]
            for each in functions[:lines]
        ],
        numbers=(0, 1, 2, 3),
    )
    print(say("profile.sum", total=figure(total, 1)))
    if len(functions) > lines:
        print(say("explain.more", count=len(functions) - lines))


def _named(function: FunctionTime) -> str:
    """A function, and where it is."""
    if not function.file:
        return function.function.strip("<>").removeprefix("built-in method builtins.")
    return f"{Path(function.file).name}:{function.line} {function.function}"


def _plain(bot: str, found: Profile) -> dict[str, Any]:
    from joute.play.profiling import summary

    times = summary([each.ms for each in found.answers])
    functions = found.functions
    return {
        "bot": bot,
        "limit_ms": 1000 * found.limit_seconds,
        "median_ms": times.median,
        "p95_ms": times.p95,
        "max_ms": times.most,
        "answers": [each._asdict() for each in found.answers],
        "functions": None if functions is None else [each._asdict() for each in functions],
        "interrupted": found.interrupted or None,
    }
