"""The marking of a contest: a TOML file beside the contest's, with one table.

    [grades]
    scale = [0, 20]           the least and the most mark
    base = 10                 everybody's mark before anything is added
    round = 0.5               marks are rounded to multiples of this
    places = [3, 2, 1, 1]     what the first gets, the second ..., among those who are marked
    disqualified = 7          the mark of a disqualified bot, whatever else
    absent = 0                the mark of the absentees
    absentees = ["Bob"]       students without a bot in the contest
    columns = ["student", "mark"], or { "Full name" = "student", "Grade" = "mark" }
    given = { mine = 12.5 }   marks of people, by bot or absentee, in place of the base
    criteria = { code = 1, talk = 2 }   criteria of people, with their weights

    [grades.jury]             marks by bot or absentee and criterion; their weighted mean replaces
                              the base
    mine = { code = 12, talk = 15 }

    [[grades.against]]        marks for the score against a bot of reference
    bot = "random"
    marks = 4                 for a score of `to` and above
    from = 0.5                none for a score of `from` and below, linearly between
    to = 0.9

Every key may be left out. Marked are all bots but those of reference and those of Joute's own that
nobody signs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from joute.contest.config.contest import Contest
from joute.contest.config.entries import BotEntry
from joute.contest.config.reading import Reader, Source, got, number, read_file, suggested, text
from joute.contest.report.cells import Line, Value, values
from joute.contest.report.report import Cross, Report
from joute.contest.report.tables import Sheet
from joute.i18n.words import Sentence
from joute.text import spelt

COLUMNS = (
    "student", "bot", "rank", "place", "mark", "base", "added", "against", "score", "games", "won",
    "drawn", "lost", "faults", "ms", "remark",
)  # fmt: skip
USUAL = ("student", "bot", "place", "mark", "remark")
MOST = 1e6  # a mark is smaller
DECIMALS = 9  # of a mark, so that 126 steps of 0.1 are 12.6
NUMBER = "error.grades.number"


class Against(msgspec.Struct, frozen=True, kw_only=True):
    """Marks for the score, 0..1, against a bot of reference."""

    bot: str
    marks: float
    start: float  # the score for which there are none
    end: float  # the score for which there are all


class GradeScale(msgspec.Struct, frozen=True, kw_only=True):
    """The rules by which a contest is marked."""

    low: float
    high: float
    base: float
    step: float
    places: tuple[float, ...]
    disqualified: float | None  # None: like the others
    absent: float
    absentees: tuple[str, ...]
    columns: dict[str, str]  # heading -> column
    given: dict[str, float]  # by bot, or student without one
    criteria: dict[str, float]  # the weight of each, above 0
    jury: dict[str, dict[str, float]]  # bot, or student without one -> criterion -> mark
    against: tuple[Against, ...]

    def rounded(self, mark: float) -> float:
        """A mark within the scale, a multiple of the step or an end of it; halves go up."""
        steps = math.floor(self._held(mark) / self.step + 0.5 + 1e-9)
        return round(self._held(steps * self.step), DECIMALS)

    def _held(self, mark: float) -> float:
        return min(max(mark, self.low), self.high)

    def marked(self, name: str) -> bool:
        """Whether people gave a bot, or student, a mark."""
        return name in self.given or name in self.jury

    def before(self, name: str) -> float:
        """The mark of a bot, or student, before the contest: as given, or judged, or the base."""
        if name in self.given or name not in self.jury:
            return self.given.get(name, self.base)
        marks = self.jury[name]
        total = sum(self.criteria.values())
        return sum(weight * marks[name] for name, weight in self.criteria.items()) / total


def read_scale(
    path: Path, contest: Contest, students: Sequence[str] = (), usual: Sequence[str] = USUAL
) -> GradeScale:
    """The scale that a file states for a contest. Raises ConfigError.

    `students` may be given marks without a bot, as absentees may. `usual` are the columns where the
    file states none; those that are none of COLUMNS are the caller's own.
    """
    content, data = read_file(path)
    top = Reader(Source(str(path), content), "", data)
    table = top.table("grades")
    top.finish()
    known = [bot.name for bot in contest.bots]
    low, high = table.take("scale", _ends, (0.0, 20.0))
    columns = tuple(dict.fromkeys((*COLUMNS, *usual)))
    criteria: dict[str, float] = table.take("criteria", _criteria(columns), {})
    there = [*known, *(name for bot in contest.bots for name in bot.authors)]
    written: tuple[str, ...] = table.take("absentees", _names, ())
    absentees = tuple(spelt(name, there) or name for name in written)
    marked = [*known, *absentees, *students]
    scale = GradeScale(
        low=low,
        high=high,
        base=table.take("base", number(-MOST, MOST, NUMBER), low),
        step=table.take("round", number(1e-6, MOST, NUMBER), 0.5),
        places=table.take("places", _numbers, ()),
        disqualified=table.take("disqualified", number(low, high, NUMBER), None),
        absent=table.take("absent", number(low, high, NUMBER), low),
        absentees=absentees,
        columns=table.take("columns", _columns([*columns, *criteria]), _usual(usual, criteria)),
        given=table.take("given", _given(marked), {}),
        criteria=criteria,
        jury=table.take("jury", _jury(marked, criteria, low, high), {}),
        against=_read_against(table, known),
    )
    table.finish()
    return scale


def _read_against(table: Reader, known: list[str]) -> tuple[Against, ...]:
    given = table.raw("against", [])
    if not isinstance(given, list):
        raise table.error("against", got(Sentence("error.grades.against"), given))
    found = []
    for place, each in enumerate(given, start=1):
        reader = Reader(table.source, f"{table.key('against')}[{place}]", each)
        if not reader.has("bot"):
            raise reader.error("bot", Sentence("error.grades.bot"))
        one = Against(
            bot=reader.take("bot", _one_of(known), ""),
            marks=reader.take("marks", number(-MOST, MOST, NUMBER), 1.0),
            start=reader.take("from", number(0, 1, NUMBER), 0.0),
            end=reader.take("to", number(0, 1, NUMBER), 1.0),
        )
        if one.start >= one.end:
            raise reader.error("to", Sentence("error.grades.to", start=one.start, end=one.end))
        reader.finish()
        found.append(one)
    return tuple(found)


def _ends(value: Any) -> tuple[float, float]:
    check = number(-MOST, MOST, NUMBER)
    if not isinstance(value, list) or len(value) != 2 or not check(value[0]) < check(value[1]):
        raise ValueError(Sentence("error.grades.ends"))
    return float(value[0]), float(value[1])


def _numbers(value: Any) -> tuple[float, ...]:
    if not isinstance(value, list):
        raise ValueError(Sentence("error.grades.numbers"))
    return tuple(number(-MOST, MOST, NUMBER)(each) for each in value)


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError(Sentence("error.grades.names"))
    return tuple(text(each) for each in value)


def _usual(usual: Sequence[str], criteria: Iterable[str]) -> dict[str, str]:
    """The columns where none are stated: those of the criteria come before the mark."""
    mark = usual.index("mark")
    return {each: each for each in (*usual[:mark], *criteria, *usual[mark:])}


def _columns(known: list[str]) -> Callable[[Any], dict[str, str]]:
    def check(value: Any) -> dict[str, str]:
        if isinstance(value, list):
            value = {each: each for each in _names(value)}
        if not isinstance(value, Mapping) or not value:
            raise ValueError(Sentence("error.grades.columns"))
        return {heading: _one_of(known)(each) for heading, each in value.items()}

    return check


def _criteria(columns: Collection[str]) -> Callable[[Any], dict[str, float]]:
    def check(value: Any) -> dict[str, float]:
        if not isinstance(value, Mapping):
            raise ValueError(Sentence("error.grades.criteria"))
        for name in value:
            if name in columns:
                raise ValueError(Sentence("error.grades.criterion", name=name))
        return {name: number(1e-6, MOST, NUMBER)(weight) for name, weight in value.items()}

    return check


def _jury(
    known: list[str], criteria: dict[str, float], low: float, high: float
) -> Callable[[Any], Any]:
    def check(value: Any) -> dict[str, dict[str, float]]:
        if not isinstance(value, Mapping):
            raise ValueError(Sentence("error.grades.jury"))
        found = {}
        for given, marks in value.items():
            name = _one_of(known)(given)
            if not isinstance(marks, Mapping) or set(marks) != set(criteria):
                wanted = ", ".join(criteria)
                raise ValueError(Sentence("error.grades.all_criteria", name=name, wanted=wanted))
            on_scale = number(low, high, NUMBER)
            found[name] = {criterion: on_scale(mark) for criterion, mark in marks.items()}
        return found

    return check


def _given(known: list[str]) -> Callable[[Any], dict[str, float]]:
    def check(value: Any) -> dict[str, float]:
        if not isinstance(value, Mapping):
            raise ValueError(Sentence("error.grades.given"))
        return {
            _one_of(known)(name): number(-MOST, MOST, NUMBER)(mark) for name, mark in value.items()
        }

    return check


def _one_of(known: list[str]) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        found = spelt(value, known) if isinstance(value, str) else None
        if found is None:
            reason = Sentence("error.grades.unknown", value=value)
            raise ValueError(suggested(reason, str(value), known))
        return found

    return check


DISQUALIFIED, WITHDRAWN, ABSENT = "disqualified", "withdrawn", "absent"
UNMET, UNPLAYED = "unmet", "unplayed"
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
    place: int | None = None  # among those marked that have one, from 1
    base: float
    added: float = 0.0  # for the place
    earned: list[Earned] = []
    mark: float | None  # None if it cannot be known yet
    remark: str = ""  # DISQUALIFIED, WITHDRAWN, ABSENT, UNMET, UNPLAYED, or ""


def grades(report: Report, scale: GradeScale) -> list[Grade]:
    """The grades of all students, in the order of the standings; absentees come last.

    Those among the absentees who have a bot are none.
    """
    lines = {line.name: line for line in report.table}
    against = {each.bot for each in scale.against}
    marked = [
        bot
        for bot in report.contest.bots
        if bot.name not in against and (bot.authors or not bot.bot.startswith(OWN))
    ]
    ranks = [lines[bot.name].rank for bot in marked if _has_place(lines[bot.name])]
    found = []
    for line in report.table:
        bot = next((each for each in marked if each.name == line.name), None)
        if bot is not None:
            ahead = sum(rank < line.rank for rank in ranks)
            place = 1 + ahead if _has_place(line) else None
            found += _grades(line, bot, place, scale, report.cross)
    present = {each.student for each in found}
    absentees = [name for name in dict.fromkeys(scale.absentees) if name not in present]
    return found + [_absent(name, scale) for name in absentees]


def _absent(name: str, scale: GradeScale) -> Grade:
    """The grade of a student without a bot, who may be given a mark all the same."""
    base = scale.before(name)
    mark = scale.rounded(base) if scale.marked(name) else scale.absent
    return Grade(student=name, bot="", base=base, mark=mark, remark=ABSENT)


def _has_place(line: Line) -> bool:
    return line.placed and not line.disqualified


def _grades(
    line: Line, bot: BotEntry, place: int | None, scale: GradeScale, met: Cross
) -> list[Grade]:
    """The same mark for every author of a bot."""
    out = bool(line.disqualified)
    base = scale.before(bot.name)
    added = scale.places[place - 1] if place is not None and place <= len(scale.places) else 0.0
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
    elif not out and place is None:
        remark = UNPLAYED
    whole = Grade(
        student="",
        bot=bot.name,
        place=place,
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


def gradebook(
    report: Report,
    scale: GradeScale,
    found: list[Grade],
    more: Mapping[str, Mapping[str, Value]] = MappingProxyType({}),
) -> Sheet:
    """The grades as a table of the columns that the scale asks for.

    `more` has values by student and column that take precedence.
    """
    lines = {line.name: line for line in report.table}
    rows = []
    for grade in found:
        known = _values(grade, lines.get(grade.bot))
        known |= scale.jury.get(grade.bot or grade.student, {})
        known |= more.get(grade.student, {})
        rows.append([known.get(column) for column in scale.columns.values()])
    return Sheet(dict.fromkeys(scale.columns, str), rows)


def _values(grade: Grade, line: Line | None) -> dict[str, Value]:
    """The values of all columns of one student."""
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
