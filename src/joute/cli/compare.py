"""`joute compare GAME BOT BOT`: which of two bots plays better, and at what cost, in one table."""

from __future__ import annotations

import sys
import time
from math import ceil
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from joute.cli.match import check_started
from joute.cli.output import Progress, print_json, print_table
from joute.cli.standings import print_faults
from joute.cli.usage import (
    DONE,
    INTERRUPTED,
    GameArgument,
    Json,
    Maps,
    MoveSeconds,
    Parameters,
    Seed,
    Stopped,
    UsageFault,
    check_file,
    parameter_values,
    written,
)
from joute.files import put
from joute.i18n.figures import between, duration, figure, percent, short
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.comparison import ChoiceComparison, Comparison, Side
    from joute.contest.rating.statistics import Interval
    from joute.contest.study import Study
    from joute.svg import Svg


USUAL_SECONDS = 60.0
TRIAL_SECONDS = 1.0  # of games, before it is said how long a number of games will take


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
    maps: Maps = None,
    seed: Seed = None,
    param: Parameters = None,
    json: Json = False,
) -> int:
    """The command; its help is in the catalogs."""
    import secrets

    from joute.contest.study import Study

    if games is not None and games % 2:
        raise UsageFault(say("match.rotated", games=games, seats=2))
    check_file("--plot", plot)
    parameters = parameter_values(param)
    study = Study(
        game,
        parameters,
        (first, second),
        seed or secrets.token_hex(8),
        move_seconds=move_seconds,
        judge=judge,
        maps=maps or (),
    )
    check_started(study.bots, game, parameters)
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


NONE = "-"
MOST_NAMED = 4  # names in a cell


def print_comparison(found: Comparison) -> None:
    """Prints what is known."""
    shown = {key: written(value) for key, value in found.parameters.items()}
    if found.maps:
        shown["map"] = "+".join(found.maps)
    values = ", ".join(f"{key}={value}" for key, value in shown.items())
    sides = found.sides
    rows = [
        _row("score", [_share(side.score, side.interval) for side in sides]),
        _row("results", [f"{side.won}-{side.drawn}-{side.lost}" for side in sides]),
        _row("mean", [milliseconds(side.mean_ms) for side in sides]),
        _row("worst", [milliseconds(side.worst_ms) for side in sides]),
    ]
    if found.choices is not None:
        share = found.choices.differ / max(found.choices.positions, 1)
        rows.append(_row("differ", [_share(share, found.choices.interval)] * 2))
        rows.append(_row("gain", _gains(found.choices)))
    if any(side.faults for side in sides):
        rows.append(_row("faults", [str(side.faults) for side in sides]))
    rows.append(_row("lines", [_whole(side.effort.lines) for side in sides]))
    rows.append(_row("options", [_counted(side.effort.options) for side in sides]))
    rows.append(_row("tuned", [_counted(side.effort.tuned) for side in sides]))
    names = [side.name for side in sides]
    print_table(["", *names], rows, title=f"{found.game} ({values})", numbers=(1, 2))
    for side in sides:
        print_faults(side.name, side.causes, side.forfeits)
    for note in _notes(found):
        print(note)


def milliseconds(time: float | None) -> str:
    """A time per move: three digits are all that can be trusted."""
    if time is None:
        return NONE
    return f"{time:#.3g} ms".replace(". ", " ").replace(".", say("language.decimal"))


def _row(key: str, cells: list[str]) -> list[str]:
    return [say(f"compare.row.{key}"), *cells]


def _share(share: float | None, interval: Interval | None) -> str:
    if share is None or interval is None:
        return NONE
    return f"{percent(figure(100 * share, 1))} [{between((interval.low, interval.high), 100, 1)}]"


def _gains(choices: ChoiceComparison) -> list[str]:
    """The worth of each bot's choices against the other's, in hundredths of a game."""
    if choices.gain is None:
        return [NONE, NONE]
    cells = []
    for sign in (1, -1):
        cell = figure(sign * 100 * choices.gain, 1, sign=True)
        if choices.gain_interval is not None:
            ends = sorted(sign * end for end in choices.gain_interval)
            cell += f" [{between(ends, 100, 1, sign=True)}]"
        cells.append(cell)
    return cells


def _whole(number: int | None) -> str:
    return NONE if number is None else str(number)


def _counted(names: list[str]) -> str:
    return f"{len(names)} ({', '.join(names)})" if 0 < len(names) <= MOST_NAMED else str(len(names))


def _notes(found: Comparison) -> list[str]:
    notes = [
        say("compare.note.games", games=2 * found.pairs, seed=quote(found.seed)),
        say("compare.note.times", seconds=f"{found.move_seconds:g}"),
    ]
    if found.choices is None:
        notes.append(say("compare.note.no_choices"))
    else:
        count, judge = found.choices.positions, found.choices.judge
        notes.append(say("compare.note.choices", positions=count, judge=judge))
    for side in found.sides:
        notes += _made_of(side)
        if side.peeks:
            notes.append(say("compare.note.peeks", name=side.name))
    return notes


def _made_of(side: Side) -> list[str]:
    """Notes on the modules whose lines were counted, and on numbers too many for a cell."""
    notes = []
    parts = side.effort.modules
    if len(parts) > 1:
        told = ", ".join(f"{name.removeprefix('joute.')} {count}" for name, count in parts.items())
        notes.append(say("compare.note.parts", name=side.name, parts=told))
    if len(side.effort.tuned) > MOST_NAMED:
        told = ", ".join(side.effort.tuned)
        notes.append(say("compare.note.tuned", name=side.name, numbers=told))
    return notes


WIDTH, HEIGHT = 720, 400
LEFT, RIGHT = 150, 40  # margins; the bots' names stand on the left
SCORES, TIMES = 86, 262  # the tops of the two panels
ROW = 34  # from one bot to the next
PANEL = 2 * ROW + 16  # the height of a panel
COLOURS = ("blue", "orange")
LONGEST_NAME = 18  # characters
PERCENT_STEP = 10


def chart(found: Comparison) -> str:
    """An SVG of both bots' win rates with their intervals, and of their times on a log scale."""
    from joute.svg import Svg

    names = [short(side.name, LONGEST_NAME) for side in found.sides]
    title = say("compare.chart.title", game=found.game, one=names[0], other=names[1])
    picture = Svg(WIDTH, HEIGHT, title)
    picture.text(24, 32, title, 17, bold=True)
    _scores(picture, found.sides)
    _times(picture, found.sides)
    return picture.written()


def _scores(picture: Svg, sides: list[Side]) -> None:
    ends = [100 * end for side in sides for end in side.interval or (0.0, 1.0)]
    # Symmetrical about a half: what one bot wins the other loses.
    reach = max(
        PERCENT_STEP, PERCENT_STEP * ceil(max(abs(end - 50) for end in ends) / PERCENT_STEP)
    )
    low, high = 50 - reach, 50 + reach

    def place(percent: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (percent - low) / (high - low)

    ticks = {place(each): percent(str(each)) for each in range(low, high + 1, PERCENT_STEP)}
    _panel(picture, SCORES, say("compare.chart.score"), ticks, [side.name for side in sides])
    picture.line([(place(50), SCORES), (place(50), SCORES + PANEL)], "dim", 1.5, "4 4")
    for row, side in enumerate(sides):
        if side.score is None or side.interval is None:
            continue
        y = _height(SCORES, row)
        first, last = (place(100 * end) for end in side.interval)
        picture.whisker(first, last, y, COLOURS[row])
        _value(picture, place(100 * side.score), y, row, percent(figure(100 * side.score, 1)))


def _times(picture: Svg, sides: list[Side]) -> None:
    from joute.contest.report.plots import log_scale

    scale = log_scale(time for side in sides for time in (side.mean_ms, side.worst_ms) if time)

    def place(time: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * scale.place(time)

    ticks = {place(tick): f"{tick:g} ms" for tick in scale.ticks}
    _panel(picture, TIMES, say("compare.chart.time"), ticks, [side.name for side in sides])
    for row, side in enumerate(sides):
        if not side.mean_ms or not side.worst_ms:
            continue
        y = _height(TIMES, row)
        picture.line([(place(side.mean_ms), y), (place(side.worst_ms), y)], COLOURS[row], 1.5)
        picture.ring(place(side.worst_ms), y, 4.5, COLOURS[row])
        _value(picture, place(side.mean_ms), y, row, milliseconds(side.mean_ms))


def _panel(picture: Svg, top: int, title: str, ticks: dict[float, str], names: list[str]) -> None:
    """An empty panel: its title, the lines of its scale, and a row for each bot."""
    picture.text(LEFT, top - 12, title, 13)
    for x, label in ticks.items():
        picture.line([(x, top), (x, top + PANEL)], "grid", 1)
        picture.text(x, top + PANEL + 18, label, 12, "dim", "middle")
    for row, name in enumerate(names):
        picture.text(LEFT - 14, _height(top, row) + 5, short(name, LONGEST_NAME), 14, anchor="end")


def _height(top: int, row: int) -> float:
    """The height at which a bot's values are drawn."""
    return top + 8 + ROW * (row + 0.5)


def _value(picture: Svg, x: float, y: float, row: int, label: str) -> None:
    """A marker, of a shape of its own for each bot, and its value above."""
    if row == 0:
        picture.circle(x, y, 5.5, COLOURS[row])
    else:
        picture.rectangle(x - 5, y - 5, 10, 10, COLOURS[row])
    picture.text(x, y - 9, label, 12, "ink", "middle")
