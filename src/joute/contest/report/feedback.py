"""A sheet for each student, in Markdown: rank, score, mark, and every fault explained."""

from __future__ import annotations

from pathlib import Path

from joute.contest.report.cells import MEAN, SCORE, TIME, Line, cell
from joute.contest.report.grading import Grade, GradeScale
from joute.contest.report.report import Report
from joute.contest.report.wording import (
    ExplainedFault,
    decided,
    disqualified,
    explained_faults,
    house_bots,
    places,
    replay_command,
)
from joute.files import put
from joute.i18n.figures import figure, percent
from joute.i18n.words import say, say_of
from joute.text import harmless, numbered_name

_SPECIAL = "\\`*_[]<>#|"


def write_feedback(
    report: Report, scale: GradeScale, grades: list[Grade], folder: Path
) -> list[Path]:
    """Writes a sheet for each student who has a bot; returns the sheets."""
    lines = {line.name: line for line in report.table}
    sheets = []
    for number, grade in enumerate(grades, start=1):
        if grade.bot:
            sheet = _sheet(report, scale, grade, lines[grade.bot])
            sheets.append(put(folder / f"{numbered_name(number, grade.student)}.md", sheet))
    return sheets


def _sheet(report: Report, scale: GradeScale, grade: Grade, line: Line) -> str:
    faults = [_fault(fault) for fault in explained_faults(report.contest, line)]
    parts = [
        f"# {plain(grade.student)}",
        say("grade.sheet", bot=plain(grade.bot), contest=plain(report.contest.name)),
        *([provisional] if (provisional := _provisional(report)) else []),
        _facts(report, scale, grade, line),
        *_reasons(scale, grade),
        *_meetings(report, line),
        *_disqualified(report, line),
        f"## {say('page.faults')}",
        *(faults or [say("page.faultless")]),
    ]
    return "\n\n".join(parts) + "\n"


def _provisional(report: Report) -> str:
    return say_of(report.left, "page.provisional", left=report.left) if report.left else ""


def _facts(report: Report, scale: GradeScale, grade: Grade, line: Line) -> str:
    score = cell(line, MEAN if report.alone else SCORE)
    text = percent(score.text) if score.text and not report.alone else score.text
    known = "?" if grade.mark is None else _mark(grade.mark)
    facts = [
        (say("grade.mark"), say("grade.of", mark=known, most=_mark(scale.high))),
        (say("page.rank"), _place(report, line)),
        (say("grade.score"), f"{text} ({score.interval})" if score.interval else text),
        (say("page.games"), str(line.games)),
        (say("page.column.ms"), cell(line, TIME).text),
    ]
    return "\n".join(
        f"- {say('grade.fact', what=what, value=value)}" for what, value in facts if value
    )


def _place(report: Report, line: Line) -> str:
    """The place of a bot among those that have one."""
    place = places(report.contest, report.table)[line.name]
    placed = len(report.table) - len(house_bots(report.contest))
    return f"{place} {say('page.of', total=placed)}" if line.placed else place


def _reasons(scale: GradeScale, grade: Grade) -> list[str]:
    if grade.remark:
        return [say(f"grade.remark.{grade.remark}")]
    jury = {} if grade.bot in scale.given else scale.jury.get(grade.bot, {})
    parts = [
        say("grade.criterion", name=plain(name), mark=_mark(mark), weight=_mark(weight))
        for name, weight in scale.criteria.items()
        if (mark := jury.get(name)) is not None
    ]
    parts.append(say("grade.jury" if jury else "grade.base", marks=_mark(grade.base)))
    if grade.added:
        parts.append(say("grade.added", marks=_signed(grade.added), place=grade.place))
    for each in grade.earned:
        values = {
            "marks": _signed(each.marks or 0.0),
            "most": _mark(each.against.marks),
            "bot": plain(each.against.bot),
            "score": figure(100 * (each.score or 0.0), 1),
            "start": figure(100 * each.against.start),
            "end": figure(100 * each.against.end),
        }
        parts.append(say("grade.against", **values))
    held = say("grade.held", low=_mark(scale.low), high=_mark(scale.high), step=_mark(scale.step))
    return [f"## {say('grade.how')}", "\n".join(f"- {part}" for part in parts), held]


def _meetings(report: Report, line: Line) -> list[str]:
    rows = [
        f"| {plain(other.name)} | {met.games} | {met.above} | {met.level} | {met.below} |"
        for other in report.table
        if (met := report.cross.get((line.name, other.name))) is not None
    ]
    if not rows:
        return []
    keys = ("against", "games", "above", "level", "below")
    heads = " | ".join(say(f"page.column.{key}") for key in keys)
    table = "\n".join([f"| {heads} |", "|---|---:|---:|---:|---:|", *rows])
    return [f"## {say('page.against')}", table]


def _disqualified(report: Report, line: Line) -> list[str]:
    parts = [] if line.decision is None else [plain(decided(line.decision))]
    parts += filter(None, [disqualified(line)])
    for each in line.disqualified:
        if each.game:
            parts.append(say("page.offence", fault=say(f"fault.{each.fault}"), ply=each.ply))
            parts.append(_code(replay_command(report.contest, each.game, each.ply)))
    return parts


def _fault(fault: ExplainedFault) -> str:
    heading = say("grade.fault", fault=fault.name, times=fault.often, cost=fault.cost)
    parts = [f"### {heading}", fault.meaning]
    if fault.detail:
        parts += [say("page.first", ply=fault.ply), _code(fault.detail)]
    if fault.command:
        parts += [say("grade.see", ply=fault.ply), _code(fault.command)]
    return "\n\n".join(parts)


def plain(text: str) -> str:
    """A text that Markdown shows as it is."""
    return "".join(f"\\{each}" if each in _SPECIAL else each for each in harmless(text, ""))


def _code(text: str) -> str:
    """A block of code; indented, so that nothing in it can end it."""
    return "\n".join(f"    {harmless(line)}" for line in text.splitlines())


def _mark(value: float) -> str:
    """A mark with as many decimals as it needs, two at most."""
    return figure(value, next(n for n in (0, 1, 2) if n == 2 or round(value, n) == value))


def _signed(value: float) -> str:
    return _mark(value) if value < 0 else f"+{_mark(value)}"
