"""What the pages of a contest show, ready to be written: names, numbers, places of marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from joute.contest.ranking.ranking import Standing, own_columns
from joute.contest.ranking.scores import Score
from joute.contest.report.comparisons import Cross, Meeting
from joute.contest.report.fault_text import Told, told
from joute.i18n.figures import figure
from joute.i18n.words import say
from joute.web.contests.summary import Summary
from joute.web.positions import Readable

MOST_CELLS = 40  # bots of the table of who beat whom; a larger one could not be read


class Line(NamedTuple):
    """A line of the official ranking."""

    rank: str
    name: str
    number: int  # of the bot's page
    cells: list[str]
    out: bool


class Cell(NamedTuple):
    """A cell of the table of who beat whom."""

    name: str
    other: str
    met: Meeting | None

    @property
    def sign(self) -> str:
        """`won`, `level` or `lost`; "" where they did not meet."""
        if self.met is None:
            return ""
        ahead = self.met.above - self.met.below
        return "won" if ahead > 0 else "lost" if ahead < 0 else "level"


class Failing(NamedTuple):
    """A bot with what it failed in."""

    name: str
    number: int
    faults: list[Told]
    games: list[str]  # of the first time of each fault, "" without one


def numbers(summary: Summary) -> dict[str, int]:
    """The numbers of the bots' pages, by name."""
    return {bot.name: number for number, bot in enumerate(summary.report.contest.bots, start=1)}


def columns(summary: Summary) -> list[str]:
    """The heads of the official ranking after rank and name."""
    if summary.report.alone:
        return [say(f"page.column.{key}") for key in ("mean", "best", "games")]
    rules = own_columns([line for line in summary.table if isinstance(line, Standing)])
    heads = [say(f"standings.rule.{rule}").capitalize() for rule in rules]
    return [*heads, say("page.column.results"), say("page.column.score")]


def lines(summary: Summary) -> list[Line]:
    """The official ranking, best first."""
    number = numbers(summary)
    rules = own_columns([line for line in summary.table if isinstance(line, Standing)])
    found = []
    for line in summary.table:
        cells = _alone(line) if isinstance(line, Score) else _meeting(line, rules)
        out = bool(line.disqualified)
        rank = say("standings.out") if out else str(line.rank)
        shown = ["" for _ in cells] if out else cells
        found.append(Line(rank, line.name, number[line.name], shown, out))
    return found


def _meeting(line: Standing, rules: Sequence[str]) -> list[str]:
    by_rule = (line.by_rule.get(rule, 0.0) for rule in rules)
    score = None if line.score is None else 100 * line.score
    return [
        *(figure(value, 0 if value == round(value) else 1) for value in by_rule),
        f"{line.won}\N{EN DASH}{line.drawn}\N{EN DASH}{line.lost}",
        figure(score, 1),
    ]


def _alone(line: Score) -> list[str]:
    best = "" if line.best is None else str(line.best)
    return [figure(line.mean, 1), best, str(line.games)]


def matrix(summary: Summary) -> list[tuple[str, list[Cell | None]]]:
    """Who beat whom, by row; None where a bot would meet itself."""
    names = summary.report.ranked[:MOST_CELLS]
    found: Cross = summary.cross
    return [
        (name, [None if name == other else Cell(name, other, found.get((name, other)))
                for other in names])
        for name in names
    ]  # fmt: skip


def failing(summary: Summary, known: Readable = None) -> list[Failing]:
    """The bots that failed in something, in the order of the standings.

    Of those whose messages are not known to the reader the details are left out.
    """
    number = numbers(summary)
    contest = summary.report.contest

    def faults(line: Standing | Score) -> list[Told]:
        found = told(contest, line)
        open_ = known is None or line.name in known
        return found if open_ else [each._replace(detail="") for each in found]

    return [
        Failing(line.name, number[line.name], faults(line), [f.game for f in line.faults])
        for line in summary.table
        if line.faults
    ]


def costs(paid: Mapping[str, str]) -> list[tuple[str, str]]:
    """What each kind of fault costs: the cost, and the faults that have it."""
    return [
        (
            say(f"export.cost.{cost}"),
            ", ".join(say(f"fault.{fault}") for fault, each in paid.items() if each == cost),
        )
        for cost in sorted(set(paid.values()))
    ]
