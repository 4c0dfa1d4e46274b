"""The standings of a contest as they stand in its folder, and the files that show them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from joute.contest.config.contest import Contest
from joute.contest.config.entries import BotEntry
from joute.contest.ranking.ranking import Score, Standing, own_columns
from joute.contest.ranking.rules import OPPONENTS_BEATEN
from joute.contest.report.cells import RULE, Line, is_rated, values
from joute.contest.report.summary import Summary, summary, summed_up, write_summary
from joute.contest.run.plan import Plan
from joute.contest.schedule.formats import Table
from joute.files import put
from joute.store.links import Link
from joute.store.model import OF_GAMES, Decision
from joute.text import brief, escaped, harmless, in_one_line

STANDINGS_JSON, STANDINGS_TXT = "standings.json", "standings.txt"
# Columns: their heads, and how their values are written.
MEETING = {
    "won": "{won}", "drawn": "{drawn}", "lost": "{lost}", "score": "{score:.3f}",
    "95 %": "{low:.2f}-{high:.2f}",
}  # fmt: skip
RATED = {"Elo": "{elo}", "95 %": "{elo_low}..{elo_high}"}
ALONE = {"mean": "{mean:.1f}", "95 %": "{low:.1f}-{high:.1f}", "best": "{best}", "games": "{games}"}
COST = {"faults": "{faults}", "ms/turn": "{mean_ms:.1f}"}
UNKNOWN, VOID = "?", "-"


def standings(contest: Contest) -> Table:
    """The standings after the games that count, best first. Raises FolderError."""
    return summary(contest).table


def write_results(folder: Path, contest: Contest, plan: Plan, seed: str) -> None:
    """Writes standings.json and standings.txt into the folder, and what `summary` looks for."""
    found = summed_up(contest, plan, seed)
    link = write_summary(contest, found)
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
        "figures": found.figures,
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
    """The name, authors and description of each bot, as plain data."""
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
    """The text of a decision about a bot or a game, with who and why."""
    of = "game " if decision.kind in OF_GAMES else ""
    when = decision.made_at[:10]
    return f"{of}{decision.subject} is {decision.kind} ({decision.who}, {when}): {decision.why}"


def _presented(bot: BotEntry) -> str:
    by = f", by {', '.join(bot.authors)}" if bot.authors else ""
    return f"{bot.name}{by}{': ' if bot.description else ''}{bot.description}"


def table_text(table: Table) -> str:
    """The standings as a plain table, then the means per map and what is to be said of faults."""
    met = [line for line in table if isinstance(line, Standing)]
    shown = [*(MEETING if met else ALONE).items()]
    if met:
        heads = {rule: "beaten" if rule == OPPONENTS_BEATEN else rule for rule in own_columns(met)}
        shown[:0] = [(head, f"{{{RULE}{rule}:g}}") for rule, head in heads.items()]
    if is_rated(table):
        shown += RATED.items()
    lines = [["", "bot", *(head for head, _ in [*shown, *COST.items()])]]
    for line in table:
        rank = VOID if line.disqualified else str(line.rank)
        cells = [VOID if line.disqualified else _written(line, form) for _, form in shown]
        lines.append([rank, line.name, *cells, *(_written(line, form) for form in COST.values())])
    notes = "".join(_disqualified(line) + _faults(line) + _spoilt(line) for line in table)
    parts = [_aligned(lines), _maps_text(table), notes]
    return "\n".join(part for part in parts if part)


def _written(line: Line, form: str) -> str:
    """Values of a bot in a form; UNKNOWN where one of them is."""
    known = {name: value for name, value in values(line).items() if value is not None}
    for name in ("elo", "elo_low", "elo_high"):
        if name in known:
            known[name] = round(float(known[name]))
    try:
        return form.format_map(known)
    except KeyError:
        same = isinstance(line, Score) and line.deviation == 0 and "low" in form
        return "none varies" if same else UNKNOWN


def played_on(table: Table) -> list[str]:
    """The names of the maps, in order, if there are several; else nothing."""
    maps = sorted({each for line in table for each in line.by_map})
    return maps if len(maps) > 1 else []


def _maps_text(table: Table) -> str:
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


def _disqualified(line: Line) -> str:
    by_rule = [each for each in line.disqualified if each.game]
    offences = (f"{each.fault} at ply {each.ply} of {each.game}" for each in by_rule)
    return f"{line.name} is disqualified: {'; '.join(offences)}\n" if by_rule else ""


def _faults(line: Line) -> str:
    return "".join(
        f"{line.name}: {fault.fault} x{fault.count}, first at ply {fault.ply} of "
        f"{fault.game}: {brief(in_one_line(fault.first))}\n"
        for fault in line.faults
    )


def _spoilt(line: Line) -> str:
    games = line.spoilt
    if not games:
        return ""
    return f"{line.name}: infrastructure x{len(games)}, played again: {', '.join(games)}\n"


def _aligned(lines: list[list[str]]) -> str:
    """A table: the names, which are second, to the left, the rest to the right."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    text = ""
    for line in lines:
        aligned = [
            cell.ljust(width) if column == 1 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        text += "  ".join(aligned).rstrip() + "\n"
    return text
