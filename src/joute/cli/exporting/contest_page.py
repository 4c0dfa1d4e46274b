"""The page of a contest: who leads, who beat whom, how it came about, what went wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from joute.cli.exporting.elements import (
    LEVEL,
    LOST,
    WON,
    facts,
    heading,
    link,
    safe,
    scrolled,
    table,
    title,
)
from joute.cli.exporting.pictures import picture
from joute.contest.ranking.ranking import Standing, own_columns
from joute.contest.ranking.scores import Score
from joute.contest.report.comparisons import Meeting
from joute.contest.report.decision_text import ranked, spoilt
from joute.contest.report.decision_text import told as told_decision
from joute.contest.report.fault_text import told
from joute.contest.report.plots import COURSE, RATING, TIME, matrix
from joute.contest.report.standings import played_on, seal_facts
from joute.i18n.figures import between, figure
from joute.i18n.words import say
from joute.web.games import about

if TYPE_CHECKING:
    from joute.contest.config.contest import Contest
    from joute.contest.report.report import Report

_MEETING = ("results", "score", "interval", "elo", "elo_interval")  # columns, after the rules
_ALONE = ("mean", "interval", "best", "games")
MOST_CELLS = 40  # bots of the matrix; a larger one could not be read


def contest_page(report: Report, bots: Mapping[str, str]) -> str:
    """The page's content; `bots` are the addresses of the bots' pages, by name."""
    contest = report.contest
    kind = about(contest.game).partition(":")[0].strip()
    played_as = say("page.format", format=contest.format)
    parts = [
        title(safe(f"{kind} \N{MIDDLE DOT} {played_as}"), contest.name),
        _facts(report),
        heading(say("page.standings"), _provisional(report)),
        _standings(report, bots),
    ]
    if report.games:
        parts += [
            _plot(report, RATING, say("page.strength")),
            *(f'<p class="small mute">{safe(each)}</p>' for each in _untold(report)),
            heading(say("page.cross"), say("page.cross.cells")),
            _matrix(report, bots),
            heading(say("page.course")),
            _plot(report, COURSE, say("page.course")),
            heading(say("page.time")),
            _plot(report, TIME, say("page.time")),
        ]
    parts += [*_by_map(report), *_decisions(report), *_spoilt(report), *_faults(report, bots)]
    parts += [heading(say("page.rules")), _rules(contest)]
    return "\n".join(parts)


def _plot(report: Report, kind: str, label: str) -> str:
    return f"<figure>{scrolled(picture(report, kind).inside(), label)}</figure>"


def _untold(report: Report) -> list[str]:
    """Who cannot be told from whom, as far as the games say."""
    groups: dict[int, list[str]] = defaultdict(list)
    for line in report.table:
        if isinstance(line, Standing) and line.rating is not None:
            for group in line.rating.groups:
                groups[group].append(line.name)
    runs = [", ".join(names) for _, names in sorted(groups.items()) if len(names) > 1]
    return [say("page.untold", groups="; ".join(runs))] if runs else []


def _facts(report: Report) -> str:
    done, left = len(report.games), report.left
    faults = [fault.count for line in report.table for fault in line.faults]
    failing = sum(bool(line.faults) for line in report.table)
    last = max((game.played_at for game in report.games), default="")[:10]
    return facts(
        [
            (say("page.games"), str(done), say("page.of", total=done + left) if left else ""),
            (say("page.bots"), str(len(report.table)), ""),
            (
                say("page.faults"),
                str(sum(faults)),
                say("page.in_bots", count=failing, total=len(report.table)),
            ),
            (say("page.clock"), f"{report.contest.limits.move_seconds:g} s", say("page.clock.cpu")),
            (say("page.played"), last, ""),
        ]
    )


def _provisional(report: Report) -> str:
    return say("page.provisional", left=report.left) if report.left else ""


def _standings(report: Report, bots: Mapping[str, str]) -> str:
    rules = own_columns([line for line in report.table if isinstance(line, Standing)])
    heads = [say(f"page.column.{key}") for key in (_ALONE if report.alone else _MEETING)]
    if not report.alone:
        heads = [*(say(f"standings.rule.{rule}").capitalize() for rule in rules), *heads]
    columns = [
        "#",
        say("page.column.bot"),
        *heads,
        say("page.column.ms"),
        say("page.column.faults"),
    ]
    rows = []
    for line in report.table:
        cells = _alone(line) if isinstance(line, Score) else _meeting(line, rules)
        out = bool(line.disqualified)
        rank = safe(ranked(line))
        faults = sum(fault.count for fault in line.faults)
        rows.append(
            [rank, link(bots[line.name], line.name), *(["" for _ in cells] if out else cells),
             figure(line.mean_ms, 1), str(faults)]
        )  # fmt: skip
    return table(columns, rows, label=say("page.standings"), words=(1,), head=1, style="standings")


def _meeting(line: Standing, rules: Sequence[str]) -> list[str]:
    rating = line.rating
    score = None if line.score is None else 100 * line.score
    return [
        *(_number(line.by_rule.get(rule, 0.0)) for rule in rules),
        f"{line.won}\N{EN DASH}{line.drawn}\N{EN DASH}{line.lost}",
        figure(score, 1),
        between(line.interval, 100),
        figure(rating.elo if rating else None, sign=True),
        between(rating.interval if rating else None),
    ]


def _number(value: float) -> str:
    """A number with a decimal where it needs one."""
    return figure(value, 0 if value == round(value) else 1)


def _alone(line: Score) -> list[str]:
    best = "" if line.best is None else str(line.best)
    return [figure(line.mean, 1), between(line.interval, digits=1), best, str(line.games)]


def _matrix(report: Report, bots: Mapping[str, str]) -> str:
    found = matrix(report)
    names = found.names[:MOST_CELLS]
    heads = "".join(
        f'<th scope="col"><abbr title="{safe(name)}">{number}</abbr></th>'
        for number, name in enumerate(names, start=1)
    )
    lines = []
    for number, name in enumerate(names, start=1):
        cells = [_cell(name, other, found.cross.get((name, other))) for other in names]
        head = f'<th scope="row">{number}. {link(bots[name], name)}</th>'
        lines.append(f"<tr>{head}{''.join(cells)}</tr>")
    body = (
        f'<table class="matrix"><thead><tr><th scope="col"><span class="sr">'
        f"{safe(say('page.column.bot'))}</span></th>{heads}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table>"
    )
    keys = ((WON, "won"), (LEVEL, "level"), (LOST, "lost"))
    legend = "".join(f"<span>{sign}{safe(say(f'page.cross.{key}'))}</span>" for sign, key in keys)
    cut = ""
    if len(names) < len(found.names):
        cut = f"<span>{safe(say('plot.first', shown=len(names), known=len(found.names)))}</span>"
    return f'{scrolled(body, say("page.cross"))}<p class="legend">{legend}{cut}</p>'


def _cell(name: str, other: str, met: Meeting | None) -> str:
    if name == other:
        return f'<td class="self"><span class="sr">{safe(say("page.cross.self"))}</span></td>'
    if met is None:
        return f'<td><span class="sr">{safe(say("page.cross.none"))}</span></td>'
    sign = WON if met.above > met.below else LOST if met.above < met.below else LEVEL
    spoken = say("page.cross.cell", name=name, other=other, **met._asdict())
    style = "w" if met.above > met.below else "l"
    return (
        f'<td class="{style}" title="{safe(spoken)}"><span class="cell">{sign}'
        f"<span>{met.above}\N{EN DASH}{met.below}</span></span></td>"
    )


def _by_map(report: Report) -> list[str]:
    """The means on each map, if there are several."""
    maps = played_on(report.table)
    if not maps:
        return []
    unit = 1 if report.alone else 100
    rows = [
        [safe(line.name), *(figure(_times(unit, line.by_map.get(each)), 1) for each in maps)]
        for line in report.table
    ]
    columns = [say("page.column.bot"), *maps]
    return [heading(say("page.maps")), table(columns, rows, label=say("page.maps"))]


def _times(unit: float, value: float | None) -> float | None:
    return None if value is None else unit * value


def _decisions(report: Report) -> list[str]:
    """What the organiser decided."""
    items = "".join(f"<li>{safe(told_decision(each))}</li>" for each in report.decisions)
    return [heading(say("page.decisions")), f"<ul>{items}</ul>"] if items else []


def _spoilt(report: Report) -> list[str]:
    """The games that a busy machine has spoilt, by bot."""
    lines = [spoilt(line.name, line.spoilt) for line in report.table if line.spoilt]
    items = "".join(f"<li>{safe(each)}</li>" for each in lines)
    return [heading(say("audit.infrastructure")), f"<ul>{items}</ul>"] if items else []


def _faults(report: Report, bots: Mapping[str, str]) -> list[str]:
    """What failed, bot by bot; the details are on the bots' pages."""
    rows = [
        [link(bots[line.name], line.name), safe(fault.name), str(fault.times), safe(fault.meaning)]
        for line in report.table
        for fault in told(report.contest, line)
    ]
    if not rows:
        return []
    columns = [say(f"page.column.{key}") for key in ("bot", "fault", "count", "meaning")]
    body = table(columns, rows, label=say("page.faults"), words=(0, 1, 3), style="wordy")
    return [heading(say("page.faults"), say("page.faults.where")), body]


def _rules(contest: Contest) -> str:
    """What the contest was played under."""
    costs = sorted(set(contest.costs.values()))
    games = contest.games if contest.first_to is None else contest.max_games
    pairs = [
        (say("page.rule.games"), str(games)),
        (
            say("page.rule.move"),
            say("page.rule.seconds", seconds=f"{contest.limits.move_seconds:g}"),
        ),
        (
            say("page.rule.start"),
            say("page.rule.seconds", seconds=f"{contest.limits.start_seconds:g}"),
        ),
        (say("page.rule.memory"), f"{contest.limits.memory_mb} MiB"),
        *((say(f"export.cost.{cost}"), _paying(contest, cost)) for cost in costs),
    ]
    if contest.first_to is not None:
        pairs.insert(1, (say("page.rule.first_to"), str(contest.first_to)))
    pairs += [(say(f"seal.name.{key}"), value or "?") for key, value in seal_facts(contest).items()]
    items = "".join(f"<dt>{safe(what)}</dt><dd>{safe(value)}</dd>" for what, value in pairs)
    return f'<dl class="rules">{items}</dl>'


def _paying(contest: Contest, cost: str) -> str:
    """The faults that have this cost."""
    return ", ".join(say(f"fault.{fault}") for fault, paid in contest.costs.items() if paid == cost)
