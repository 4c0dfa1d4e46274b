"""The page of a bot: who wrote it, how it did against each other bot, what it failed in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from joute.cli.exporting.elements import facts, heading, link, safe, table, title
from joute.contest.ranking.scores import Score
from joute.contest.report.decision_text import ranked
from joute.contest.report.decision_text import told as told_decision
from joute.contest.report.fault_text import Told, replay_command, told
from joute.i18n.figures import between, figure
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.ranking.ranking import Standing
    from joute.contest.report.comparisons import Cross
    from joute.contest.report.report import Report


def bot_page(
    report: Report, line: Standing | Score, met: Cross, bots: Mapping[str, str], home: str
) -> str:
    """The page's content; `bots` are the addresses of the bots' pages, `home` that of the contest.

    `met` are all meetings of the contest.
    """
    entry = next(bot for bot in report.contest.bots if bot.name == line.name)
    by = say("page.by", authors=", ".join(entry.authors)) if entry.authors else ""
    said = f'<p class="said">{safe(entry.description)}</p>' if entry.description else ""
    parts = [
        title(link(home, report.contest.name), line.name, safe(by)),
        said,
        _facts(report, line),
        *([] if line.decision is None else [_note(safe(told_decision(line.decision)))]),
        *_disqualified(report, line),
        *_meetings(report, line, met, bots),
        heading(say("page.faults")),
        *([_fault(fault) for fault in told(report.contest, line)] or [_none()]),
    ]
    return "\n".join(part for part in parts if part)


def _facts(report: Report, line: Standing | Score) -> str:
    rank = ranked(line)
    of = say("page.of", total=len(report.table))
    games = (say("page.games"), str(line.games), "")
    pace = (say("page.column.ms"), figure(line.mean_ms, 1), "")
    if isinstance(line, Score):
        mean = figure(line.mean, 1)
        score = (say("page.column.mean"), mean, between(line.interval, digits=1))
        best = (say("page.column.best"), "" if line.best is None else str(line.best), "")
        return facts([(say("page.rank"), rank, of), score, best, games, pace])
    percent = "" if line.score is None else f"{figure(100 * line.score, 1)} %"
    results = f"{line.won}\N{EN DASH}{line.drawn}\N{EN DASH}{line.lost}"
    found = [
        (say("page.rank"), rank, of),
        (say("page.column.results"), results, ""),
        (say("page.column.score"), percent, between(line.interval, 100)),
    ]
    if line.rating is not None and line.rating.elo is not None:
        elo = figure(line.rating.elo, sign=True)
        found.append((say("page.column.elo"), elo, between(line.rating.interval)))
    return facts([*found, pace])


def _disqualified(report: Report, line: Standing | Score) -> list[str]:
    found = [each for each in line.disqualified if each.game]
    if not found:
        return []
    key = "once" if len(found) == 1 else "often"
    reason = say(f"page.disqualified.{key}", count=len(found))
    offences = "".join(
        f"<li>{safe(say('page.offence', fault=say(f'fault.{each.fault}'), ply=each.ply))}"
        f"{_command(replay_command(report.contest, each.game, each.ply))}</li>"
        for each in found
    )
    return [_note(safe(reason), f"<ul>{offences}</ul>")]


def _note(strong: str, more: str = "") -> str:
    return f'<div class="note"><p><strong>{strong}</strong></p>{more}</div>'


def _meetings(
    report: Report, line: Standing | Score, met: Cross, bots: Mapping[str, str]
) -> list[str]:
    """How it did against each bot that it met, in the order of the standings."""
    rows = []
    for other in report.table:
        found = met.get((line.name, other.name))
        if found is not None:
            counts = [str(found.games), *(str(each) for each in found)]
            score = figure(100 * found.score, 1)
            rows.append([link(bots[other.name], other.name), *counts, score])
    if not rows:
        return []
    keys = ("against", "games", "above", "level", "below", "score")
    columns = [say(f"page.column.{key}") for key in keys]
    return [heading(say("page.against")), table(columns, rows, label=say("page.against"))]


def _fault(fault: Told) -> str:
    times = say("page.once") if fault.times == 1 else say("page.times", count=fault.times)
    first = f"<pre>{safe(fault.detail)}</pre>" if fault.detail else ""
    return (
        f'<article class="fault"><header><span class="badge bad">{safe(fault.name)}</span>'
        f'<span class="small mute">{safe(times)} \N{MIDDLE DOT} {safe(fault.cost)}</span></header>'
        f"<p>{safe(fault.meaning)}</p><p>{safe(say('page.first', ply=fault.ply))}</p>{first}"
        f"{_command(fault.command)}</article>"
    )


def _command(command: str) -> str:
    return f'<p class="copy"><code>{safe(command)}</code></p>' if command else ""


def _none() -> str:
    return f'<p class="good-t">{safe(say("page.faultless"))}</p>'
