"""The standings of a contest as they stand in its folder, and the files that show them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from joute.contest.config.contest import Contest
from joute.contest.config.entries import BotEntry
from joute.contest.ranking.discipline import Decision
from joute.contest.ranking.ranking import Standing, own_columns
from joute.contest.ranking.rules import OPPONENTS_BEATEN
from joute.contest.ranking.scores import Score
from joute.contest.report.summary import Summary, leave_behind, summary, summed_up
from joute.contest.report.wording import first_line
from joute.contest.run.plan import Plan
from joute.contest.schedule.formats import Table
from joute.files import put
from joute.printable import brief, escaped, harmless
from joute.store.links import Link
from joute.store.marks import OF_GAMES

__all__ = ["played_on", "presentations", "standings", "table_text", "write_results"]

STANDINGS_JSON, STANDINGS_TXT = "standings.json", "standings.txt"
MEETING = ("won", "drawn", "lost", "score", "95 %")  # columns after those of the order
RATED = ("Elo", "95 %")  # columns after those, where a bot has a rating
ALONE = ("mean", "95 %", "best", "games")


def standings(contest: Contest) -> Table:
    """The standings after the games that count, best first. Raises FolderError."""
    return summary(contest).table


def write_results(folder: Path, contest: Contest, plan: Plan, seed: str) -> None:
    """Write standings.json and standings.txt into the folder, and what `summary` looks for."""
    found = summed_up(contest, plan, seed)
    link = leave_behind(contest, found)
    told = results(contest, found, link)
    content = msgspec.json.format(msgspec.json.encode(told), indent=2)
    put(folder / STANDINGS_JSON, escaped(content.decode()) + "\n")
    put(folder / STANDINGS_TXT, results_text(contest, found, link))


def results(contest: Contest, found: Summary, link: Link | None) -> dict[str, Any]:
    """The results of a contest as plain data, with the last link of the rows they were made of."""
    told = {
        "contest": contest.name,
        "done": found.done,
        "left": found.left,
        "standings": found.table,
        "bots": presentations(contest),
        "decisions": found.decisions,
    }
    if contest.seal is not None:
        told["seal"] = seal_facts(contest)
    return told if link is None else told | {"rows": link.number, "link": link.link.hex()}


def results_text(contest: Contest, found: Summary, link: Link | None) -> str:
    """The results of a contest as a text."""
    heading = f"{contest.name}: {found.done} games played"
    if found.left:
        heading += f", {found.left} left"
    bots = "".join(f"{_presented(bot)}\n" for bot in contest.bots if bot.authors or bot.description)
    decisions = "".join(f"{decided(each)}\n" for each in found.decisions)
    sealed = "".join(f"{key}: {value}\n" for key, value in seal_facts(contest).items())
    proof = "" if link is None else f"proof of {link.number} rows: {link.shown()}\n"
    sections = [f"{heading}\n", table_text(found.table), decisions, bots, sealed, proof]
    return harmless("\n".join(section for section in sections if section))


def presentations(contest: Contest) -> list[dict[str, Any]]:
    """What is said of each bot, as plain data: its name, authors and description."""
    return [
        {"name": bot.name, "authors": list(bot.authors), "description": bot.description}
        for bot in contest.bots
    ]


def seal_facts(contest: Contest) -> dict[str, str | None]:
    """A contest's seal, its public value and its seed; nothing where it is not sealed.

    Value and seed are None until they are drawn.
    """
    if contest.seal is None:
        return {}
    return {
        "seal": contest.seal.seal,
        "public": contest.seal.public,
        "seed": contest.seed or None,
    }


def decided(decision: Decision) -> str:
    """What was decided about a bot or a game, by whom and why."""
    of = "game " if decision.kind in OF_GAMES else ""
    when = decision.made_at[:10]
    return f"{of}{decision.subject} is {decision.kind} ({decision.who}, {when}): {decision.why}"


def _presented(bot: BotEntry) -> str:
    by = f", by {', '.join(bot.authors)}" if bot.authors else ""
    return f"{bot.name}{by}{': ' if bot.description else ''}{bot.description}"


def table_text(table: Table) -> str:
    """The standings as a plain table, then the means per map and what is to be said of faults."""
    met = [line for line in table if not isinstance(line, Score)]
    rated = any(line.rating is not None and line.rating.elo is not None for line in met)
    rules = own_columns(met) if met else []
    columns = (*map(_heading, rules), *MEETING, *(RATED if rated else ())) if met else ALONE
    cells = [_cells(line, rules, rated) for line in met]
    cells += [_score_cells(line) for line in table if isinstance(line, Score)]
    main = _aligned([["", "bot", *columns, "faults", "ms/turn"], *cells])
    notes = "".join(_disqualified(line) + _faults(line) + _spoilt(line) for line in table)
    parts = [main, _maps_text(table), notes]
    return "\n".join(part for part in parts if part)


def played_on(table: Table) -> list[str]:
    """The names of the maps, in order, if there are several; else nothing."""
    maps = sorted({each for line in table for each in line.by_map})
    return maps if len(maps) > 1 else []


def _heading(rule: str) -> str:
    return "beaten" if rule == OPPONENTS_BEATEN else rule


def _cells(line: Standing, rules: Sequence[str], rated: bool) -> list[str]:
    interval = line.interval
    rating = _rating_cells(line) if rated else []
    if line.disqualified:
        return ["-", line.name, *["-"] * (len(rules) + len(MEETING) + len(rating)), *_cost(line)]
    return [
        str(line.rank),
        line.name,
        *(f"{line.by_rule[rule]:g}" for rule in rules),
        str(line.won),
        str(line.drawn),
        str(line.lost),
        "?" if line.score is None else f"{line.score:.3f}",
        "?" if interval is None else f"{interval.low:.2f}-{interval.high:.2f}",
        *rating,
        *_cost(line),
    ]


def _rating_cells(line: Standing) -> list[str]:
    rating = line.rating
    if rating is None or rating.elo is None or rating.interval is None:
        return ["?", "?"]
    low, high = rating.interval
    return [str(round(rating.elo)), f"{round(low)}..{round(high)}"]


def _score_cells(line: Score) -> list[str]:
    interval = line.interval
    unknown = "none varies" if line.deviation == 0 else "?"
    if line.disqualified:
        return ["-", line.name, *["-"] * len(ALONE), *_cost(line)]
    return [
        str(line.rank),
        line.name,
        "?" if line.mean is None else f"{line.mean:.1f}",
        unknown if interval is None else f"{interval.low:.1f}-{interval.high:.1f}",
        "?" if line.best is None else str(line.best),
        str(line.games),
        *_cost(line),
    ]


def _cost(line: Standing | Score) -> list[str]:
    """Faults, and milliseconds per turn."""
    faults = sum(fault.count for fault in line.faults)
    return [str(faults), "?" if line.mean_ms is None else f"{line.mean_ms:.1f}"]


def _maps_text(table: Table) -> str:
    """The mean of each bot on each map, if there are several."""
    maps = played_on(table)
    if not maps:
        return ""
    digits = 1 if isinstance(table[0], Score) else 3
    lines = [["", "bot", *maps]]
    for line in table:
        means = [line.by_map.get(each) for each in maps]
        cells = ["?" if mean is None else f"{mean:.{digits}f}" for mean in means]
        lines.append(["", line.name, *cells])
    return _aligned(lines)


def _disqualified(line: Standing | Score) -> str:
    by_rule = [each for each in line.disqualified if each.game]
    offences = (f"{each.fault} at ply {each.ply} of {each.game}" for each in by_rule)
    return f"{line.name} is disqualified: {'; '.join(offences)}\n" if by_rule else ""


def _faults(line: Standing | Score) -> str:
    return "".join(
        f"{line.name}: {fault.fault} x{fault.count}, first at ply {fault.ply} of "
        f"{fault.game}: {brief(first_line(fault.first))}\n"
        for fault in line.faults
    )


def _spoilt(line: Standing | Score) -> str:
    """The games that the machine spoilt while this bot was waited for."""
    games = line.spoilt
    if not games:
        return ""
    return f"{line.name}: infrastructure x{len(games)}, played again: {', '.join(games)}\n"


def _aligned(lines: list[list[str]]) -> str:
    """A table: the names, which are second, to the left, the rest to the right."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "".join(_line(line, widths) for line in lines)


def _line(cells: list[str], widths: list[int]) -> str:
    aligned = [
        cell.ljust(width) if column == 1 else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join(aligned).rstrip() + "\n"
