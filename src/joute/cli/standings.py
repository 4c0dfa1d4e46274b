"""Standings as a table, and below it what each bot failed in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from joute.cli.ratings import any_rated, has_letters, print_rating_notes, rating_cell
from joute.cli.tables import print_table
from joute.contest.report.decision_text import ranked, spoilt
from joute.i18n.recognised import recognised
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.config.entries import BotEntry
    from joute.contest.ranking.ranking import Standing
    from joute.contest.ranking.rows import FaultCount
    from joute.contest.ranking.scores import Score
    from joute.contest.rating.statistics import Interval
    from joute.contest.run.coordinator import Failure
    from joute.contest.schedule.formats import Table

_COST = ("ms", "faults")
_ALONE = ("rank", "bot", "mean", "best", "games", "ms", "faults")
_LEFT = ("bot", "results", "score", "rating", "mean")


def print_standings(table: Table, title: str, records: Path | None = None) -> None:
    """Prints standings; `records` is the folder of the records that faults are shown in."""
    from joute.contest.ranking.scores import Score

    met = [line for line in table if not isinstance(line, Score)]
    columns = _columns(met) if met else _ALONE
    print_table(
        [say(f"standings.{column}") for column in columns],
        [_meeting(line, met) for line in met]
        or [_alone(line) for line in table if isinstance(line, Score)],
        title=title,
        numbers=[place for place, column in enumerate(columns) if column not in _LEFT],
    )
    print_rating_notes(met)
    _print_by_map(table, 1 if isinstance(table[0], Score) else 100)
    _print_isolation(table)
    for line in table:
        _print_disqualified(line, records)
        if line.forfeits and not line.disqualified:
            print(say("standings.forfeits", name=line.name, count=line.forfeits))
        for fault in line.faults:
            print(_fault(line.name, fault))
            _print_replay(records, fault.game, fault.ply)
        if line.spoilt:
            print(spoilt(line.name, line.spoilt))


def _print_isolation(table: Table) -> None:
    """Prints at which level the bots ran that are no part of ours."""
    held: dict[str, list[str]] = {}
    for line in table:
        for level in line.isolation:
            if level != "inline":
                held.setdefault(level, []).append(line.name)
    if held:
        told = "; ".join(f"{level} ({', '.join(names)})" for level, names in held.items())
        print(say("standings.isolation", levels=told))
        if not held.keys() <= {"none", "full"}:
            print(say("standings.memory"))


def print_presentations(bots: Iterable[BotEntry]) -> None:
    """Prints what is said of the bots, if anything is: their authors, what they do."""
    presented = [bot for bot in bots if bot.authors or bot.description]
    if presented:
        print()
    for bot in presented:
        if bot.authors:
            authors = ", ".join(bot.authors)
            print(
                say("standings.by", name=bot.name, authors=authors, said=bot.description).rstrip()
            )
        else:
            print(say("standings.said", name=bot.name, said=bot.description))


def print_failures(failures: Iterable[Failure]) -> None:
    """Prints the games that could not be played, through no fault of a bot."""
    for failure in failures:
        print(
            say(
                "standings.unplayed",
                bots=" - ".join(failure.bots),
                reason=recognised(str(failure.reason)),
            )
        )


def _print_disqualified(line: Standing | Score, records: Path | None) -> None:
    offences = [each for each in line.disqualified if each.game]
    if not offences:
        return
    once = len(offences) == 1
    key = "standings.disqualified_once" if once else "standings.disqualified"
    print(say(key, name=line.name, count=len(offences)))
    for offence in offences:
        fault = say(f"fault.{offence.fault}")
        told = say("standings.offence", fault=fault, ply=offence.ply, game=offence.game)
        print(f"  {told}")
        _print_replay(records, offence.game, offence.ply)


def _print_replay(records: Path | None, game: str, ply: int) -> None:
    """Prints the command that shows a ply of a game, if its record is kept."""
    if records is not None and game:
        print(f"    joute replay {(records / game).with_suffix('.jsonl')} --at {ply}")


def _print_by_map(table: Table, unit: float) -> None:
    """Prints the mean of each bot on each map, times `unit`, if there are several maps."""
    from joute.contest.report.standings import played_on

    maps = played_on(table)
    if not maps:
        return
    rows = [
        [line.name, *("" if each not in line.by_map else f"{unit * line.by_map[each]:.1f}"
                      for each in maps)]
        for line in table
    ]  # fmt: skip
    print()
    print_table([say("standings.bot"), *maps], rows, numbers=range(1, len(maps) + 1))


def _columns(table: Sequence[Standing]) -> tuple[str, ...]:
    from joute.contest.ranking.ranking import own_columns

    rules = [f"rule.{rule}" for rule in own_columns(table)]
    rated = ("rating",) if any_rated(table) else ()
    return ("rank", "bot", *rules, "results", "score", *rated, *_COST)


def _meeting(line: Standing, table: Sequence[Standing]) -> list[str]:
    """The cells of a bot of that table that met others; the score is in percent."""
    from joute.contest.ranking.ranking import own_columns

    rules = own_columns(table)
    rating = [rating_cell(line, has_letters(table))] if any_rated(table) else []
    score = "" if line.score is None else f"{100 * line.score:5.1f}{_interval(line.interval, 100)}"
    if line.disqualified:
        return [ranked(line), line.name, *[""] * (len(rules) + 2), *rating, *_cost(line)]
    results = f"{line.won}-{line.drawn}-{line.lost}"
    numbers = [f"{line.by_rule[rule]:g}" for rule in rules]
    return [str(line.rank), line.name, *numbers, results, score, *rating, *_cost(line)]


def _alone(line: Score) -> list[str]:
    """The cells of a bot that played alone, in the game's points."""
    if line.disqualified:
        return [ranked(line), line.name, "", "", "", *_cost(line)]
    mean = "" if line.mean is None else f"{line.mean:5.1f}{_interval(line.interval, 1)}"
    if line.interval is None and line.deviation == 0:
        mean += f"  {say('standings.constant')}"
    best = "" if line.best is None else str(line.best)
    return [str(line.rank), line.name, mean, best, str(line.games), *_cost(line)]


def _interval(interval: Interval | None, unit: float) -> str:
    if interval is None:
        return ""
    digits = 0 if unit > 1 else 1
    return f"  [{unit * interval.low:.{digits}f}, {unit * interval.high:.{digits}f}]"


def _cost(line: Standing | Score) -> list[str]:
    spent = "" if line.mean_ms is None else f"{line.mean_ms:.1f}"
    return [spent, str(sum(fault.count for fault in line.faults))]


def _fault(name: str, fault: FaultCount) -> str:
    from joute.contest.report.standings import first_line
    from joute.printable import brief

    return say(
        "standings.fault",
        name=name,
        fault=say(f"fault.{fault.fault}"),
        count=fault.count,
        ply=fault.ply,
        reason=brief(str(recognised(first_line(fault.first)))),
    )
