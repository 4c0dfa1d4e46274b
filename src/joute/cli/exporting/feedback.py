"""A sheet for each student, in Markdown: rank, score, mark, and every fault explained."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from joute.cli.exporting.elements import file_name
from joute.contest.ranking.scores import Score
from joute.contest.report.comparisons import cross
from joute.contest.report.decision_text import ranked
from joute.contest.report.decision_text import told as told_decision
from joute.contest.report.fault_text import Told, replay_command, told
from joute.files import put
from joute.i18n.figures import between, figure
from joute.i18n.words import say
from joute.printable import harmless

if TYPE_CHECKING:
    from joute.contest.ranking.ranking import Standing
    from joute.contest.report.comparisons import Cross
    from joute.contest.report.grades import Scale
    from joute.contest.report.marks import Mark
    from joute.contest.report.report import Report

_SPECIAL = "\\`*_[]<>#|"


def write_feedback(report: Report, scale: Scale, marks: list[Mark], folder: Path) -> Path:
    """Write a sheet for each student who has a bot; returns their folder."""
    lines = {line.name: line for line in report.table}
    met = cross(report)
    for number, mark in enumerate(marks, start=1):
        if mark.bot:
            sheet = _sheet(report, scale, mark, lines[mark.bot], met)
            put(folder / f"{file_name(number, mark.student)}.md", sheet)
    return folder


def _sheet(report: Report, scale: Scale, mark: Mark, line: Standing | Score, met: Cross) -> str:
    parts = [
        f"# {plain(mark.student)}",
        say("grade.sheet", bot=plain(mark.bot), contest=plain(report.contest.name)),
        _facts(report, scale, mark, line),
        *_reasons(scale, mark),
        *_meetings(report, line, met),
        *_disqualified(report, line),
        f"## {say('page.faults')}",
        *([_fault(fault) for fault in told(report.contest, line)] or [say("page.faultless")]),
    ]
    return "\n\n".join(parts) + "\n"


def _facts(report: Report, scale: Scale, mark: Mark, line: Standing | Score) -> str:
    rank = ranked(line)
    if isinstance(line, Score):
        score, ends = figure(line.mean, 1), between(line.interval, digits=1)
    else:
        score = "" if line.score is None else f"{figure(100 * line.score, 1)} %"
        ends = between(line.interval, 100)
    known = "?" if mark.mark is None else _mark(mark.mark)
    facts = [
        (say("grade.mark"), say("grade.of", mark=known, most=_mark(scale.high))),
        (say("page.rank"), f"{rank} {say('page.of', total=len(report.table))}"),
        (say("grade.score"), f"{score} ({ends})" if ends else score),
        (say("page.games"), str(line.games)),
        (say("page.column.ms"), figure(line.mean_ms, 1)),
    ]
    return "\n".join(
        f"- {say('grade.fact', what=what, value=value)}" for what, value in facts if value
    )


def _reasons(scale: Scale, mark: Mark) -> list[str]:
    """How the mark came about."""
    if mark.remark:
        return [say(f"grade.remark.{mark.remark}")]
    parts = [say("grade.base", marks=_mark(mark.base))]
    if mark.added:
        parts.append(say("grade.added", marks=_signed(mark.added), place=mark.place))
    for each in mark.earned:
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


def _meetings(report: Report, line: Standing | Score, met: Cross) -> list[str]:
    rows = [
        f"| {plain(other.name)} | {found.games} | {found.above} | {found.level} | {found.below} |"
        for other in report.table
        if (found := met.get((line.name, other.name))) is not None
    ]
    if not rows:
        return []
    keys = ("against", "games", "above", "level", "below")
    heads = " | ".join(say(f"page.column.{key}") for key in keys)
    table = "\n".join([f"| {heads} |", "|---|---:|---:|---:|---:|", *rows])
    return [f"## {say('page.against')}", table]


def _disqualified(report: Report, line: Standing | Score) -> list[str]:
    parts = [] if line.decision is None else [plain(told_decision(line.decision))]
    found = [each for each in line.disqualified if each.game]
    if found:
        key = "once" if len(found) == 1 else "often"
        parts.append(say(f"page.disqualified.{key}", count=len(found)))
    for each in found:
        parts.append(say("page.offence", fault=say(f"fault.{each.fault}"), ply=each.ply))
        parts.append(_code(replay_command(report.contest, each.game, each.ply)))
    return parts


def _fault(fault: Told) -> str:
    times = say("page.once") if fault.times == 1 else say("page.times", count=fault.times)
    heading = say("grade.fault", fault=fault.name, times=times, cost=fault.cost)
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
