"""The grades of a contest's students, and how each came about."""

from __future__ import annotations

import msgspec

from joute.contest.config.entries import BotEntry
from joute.contest.report.cells import Line, Value, values
from joute.contest.report.grading import Against, Scale
from joute.contest.report.report import Cross, Report
from joute.contest.report.tables import Sheet

DISQUALIFIED, WITHDRAWN, ABSENT, UNMET = "disqualified", "withdrawn", "absent", "unmet"
"""Remarks: why a mark is what it is, or is missing."""

OWN = "builtin:"


class Earned(msgspec.Struct, frozen=True, kw_only=True):
    """Marks for the score against a bot of reference; None where the two did not meet."""

    against: Against
    score: float | None  # 0..1
    marks: float | None


class Grade(msgspec.Struct, frozen=True, kw_only=True):
    """A student's mark, the sum of its parts held within the scale and rounded."""

    student: str
    bot: str  # "" for an absentee
    place: int | None  # among those marked, from 1; None for the disqualified and the absent
    base: float
    added: float  # for the place
    earned: list[Earned]
    mark: float | None  # None if it cannot be known yet
    remark: str = ""  # DISQUALIFIED, WITHDRAWN, ABSENT, UNMET, or ""


def grades(report: Report, scale: Scale) -> list[Grade]:
    """The grades of all students, in the order of the standings; absentees come last."""
    lines = {line.name: line for line in report.table}
    marked = [bot for bot in report.contest.bots if _is_graded(bot, scale)]
    ranks = [lines[bot.name].rank for bot in marked if not lines[bot.name].disqualified]
    found = []
    for line in report.table:
        bot = next((each for each in marked if each.name == line.name), None)
        if bot is not None:
            place = 1 + sum(rank < line.rank for rank in ranks)
            found += _grades(line, bot, place, scale, report.cross)
    return [*found, *(_absentee(name, scale) for name in scale.absentees)]


def _is_graded(bot: BotEntry, scale: Scale) -> bool:
    if any(each.bot == bot.name for each in scale.against):
        return False
    return bool(bot.authors) or not bot.bot.startswith(OWN)


def _grades(line: Line, bot: BotEntry, place: int, scale: Scale, met: Cross) -> list[Grade]:
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
    whole = Grade(
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


def _absentee(name: str, scale: Scale) -> Grade:
    return Grade(
        student=name,
        bot="",
        place=None,
        base=scale.base,
        added=0.0,
        earned=[],
        mark=scale.absent,
        remark=ABSENT,
    )


def gradebook(report: Report, scale: Scale, found: list[Grade]) -> Sheet:
    """The grades as a table of the columns that the scale asks for."""
    lines = {line.name: line for line in report.table}
    rows = []
    for grade in found:
        known = _values(grade, lines.get(grade.bot))
        rows.append([known.get(column) for column in scale.columns.values()])
    return Sheet(dict.fromkeys(scale.columns, str), rows)


def _values(grade: Grade, line: Line | None) -> dict[str, Value]:
    """What any column may hold of one student."""
    found: dict[str, Value] = {
        "student": grade.student,
        "bot": grade.bot,
        "place": grade.place,
        "mark": grade.mark,
        "base": grade.base,
        "added": grade.added,
        "against": sum(each.marks for each in grade.earned if each.marks is not None),
        "remark": grade.remark,
    }
    if line is None:
        return found
    known = values(line)
    known |= {"score": known.get("mean", known.get("score")), "ms": known["mean_ms"]}
    return known | found
