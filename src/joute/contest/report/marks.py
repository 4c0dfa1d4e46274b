"""The marks of a contest's students, and how each came about."""

from __future__ import annotations

import msgspec

from joute.contest.config.entries import BotEntry
from joute.contest.ranking.ranking import Standing
from joute.contest.ranking.scores import Score
from joute.contest.report.comparisons import Cross, cross
from joute.contest.report.grades import Against, Scale
from joute.contest.report.report import Report
from joute.contest.report.tables import Sheet, Value

DISQUALIFIED, WITHDRAWN, ABSENT, UNMET = "disqualified", "withdrawn", "absent", "unmet"
"""Remarks: why a mark is what it is, or is missing."""

OWN = "builtin:"


class Earned(msgspec.Struct, frozen=True, kw_only=True):
    """Marks for the score against a bot of reference; None where the two did not meet."""

    against: Against
    score: float | None  # 0..1
    marks: float | None


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """A student's mark, the sum of its parts held within the scale and rounded."""

    student: str
    bot: str  # "" for an absentee
    place: int | None  # among those marked, from 1; None for the disqualified and the absent
    base: float
    added: float  # for the place
    earned: list[Earned]
    mark: float | None  # None if it cannot be known yet
    remark: str = ""  # DISQUALIFIED, WITHDRAWN, ABSENT, UNMET, or ""


def marks(report: Report, scale: Scale) -> list[Mark]:
    """The marks of all students, in the order of the standings; absentees come last."""
    lines = {line.name: line for line in report.table}
    marked = [bot for bot in report.contest.bots if _is_marked(bot, scale)]
    ranks = [lines[bot.name].rank for bot in marked if not lines[bot.name].disqualified]
    met = cross(report)
    found = []
    for line in report.table:
        bot = next((each for each in marked if each.name == line.name), None)
        if bot is not None:
            place = 1 + sum(rank < line.rank for rank in ranks)
            found += _marks(line, bot, place, scale, met)
    return [*found, *(_absentee(name, scale) for name in scale.absentees)]


def _is_marked(bot: BotEntry, scale: Scale) -> bool:
    if any(each.bot == bot.name for each in scale.against):
        return False
    return bool(bot.authors) or not bot.bot.startswith(OWN)


def _marks(
    line: Standing | Score, bot: BotEntry, place: int, scale: Scale, met: Cross
) -> list[Mark]:
    """The same mark for every author of a bot."""
    out = bool(line.disqualified)
    base = scale.given.get(bot.name, scale.base)
    added = scale.places[place - 1] if not out and place <= len(scale.places) else 0.0
    # The results of the disqualified are void.
    earned = [] if out else [_earned(each, met, bot.name) for each in scale.against]
    parts = [each.marks for each in earned]
    known = [part for part in parts if part is not None]
    mark: float | None = scale.rounded(base + added + sum(known))
    remark = ""
    if line.decision is not None and line.decision.kind == WITHDRAWN:
        remark = WITHDRAWN
    elif out and scale.disqualified is not None:
        mark, remark = scale.disqualified, DISQUALIFIED
    elif len(known) < len(parts):
        mark, remark = None, UNMET
    whole = Mark(
        student="",
        bot=bot.name,
        place=None if out else place,
        base=base,
        added=added,
        earned=earned,
        mark=mark,
        remark=remark,
    )
    students = bot.authors or (bot.name,)
    return [msgspec.structs.replace(whole, student=student) for student in students]


def _earned(against: Against, met: Cross, name: str) -> Earned:
    meeting = met.get((name, against.bot))
    if meeting is None:
        return Earned(against=against, score=None, marks=None)
    share = (meeting.score - against.start) / (against.end - against.start)
    got = against.marks * min(max(share, 0.0), 1.0)
    return Earned(against=against, score=meeting.score, marks=got)


def _absentee(name: str, scale: Scale) -> Mark:
    return Mark(
        student=name,
        bot="",
        place=None,
        base=scale.base,
        added=0.0,
        earned=[],
        mark=scale.absent,
        remark=ABSENT,
    )


def gradebook(report: Report, scale: Scale, found: list[Mark]) -> Sheet:
    """The marks as a table of the columns that the scale asks for."""
    lines = {line.name: line for line in report.table}
    rows = []
    for mark in found:
        values = _values(mark, lines.get(mark.bot))
        rows.append([values.get(column) for column in scale.columns.values()])
    return Sheet(dict.fromkeys(scale.columns, str), rows)


def _values(mark: Mark, line: Standing | Score | None) -> dict[str, Value]:
    """What any column may hold of one student."""
    earned = [each.marks for each in mark.earned if each.marks is not None]
    values: dict[str, Value] = {
        "student": mark.student,
        "bot": mark.bot,
        "place": mark.place,
        "mark": mark.mark,
        "base": mark.base,
        "added": mark.added,
        "against": sum(earned),
        "remark": mark.remark,
    }
    if line is None:
        return values
    faults = sum(fault.count for fault in line.faults)
    values |= {"rank": line.rank, "games": line.games, "faults": faults, "ms": line.mean_ms}
    if isinstance(line, Score):
        return values | {"score": line.mean}
    results: dict[str, Value] = {"won": line.won, "drawn": line.drawn, "lost": line.lost}
    return values | results | {"score": line.score}
