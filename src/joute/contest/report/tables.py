"""The games and the standings of a contest as plain tables, and as lines of JSON.

A table is flat, for spreadsheets and data frames: one column a seat where a value has one a seat.
The lines of JSON have the same and more: lists by seat, and every fault.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, NamedTuple

import msgspec

from joute.contest.config.entries import BotEntry
from joute.contest.ranking.ranking import Standing, own_columns
from joute.contest.ranking.rules import OPPONENTS_BEATEN
from joute.contest.ranking.scores import Score
from joute.contest.report.report import Report
from joute.contest.report.standings import seal_facts
from joute.store.game import Game

Value = str | int | float | bool | None


class Sheet(NamedTuple):
    """A flat table; a column's kind is str, int, float or bool, and any value may be None."""

    columns: dict[str, type]
    rows: list[list[Value]]


_GAME = {
    "number": int, "identity": str, "set": int, "map": str, "ending": str, "plies": int,
    "faults": int, "played_at": str,
}  # fmt: skip
_SEAT = {"bot": str, "return": float, "points": int, "cpu_ms": float, "asked": int}
_BOT = {"rank": int, "name": str, "authors": str, "disqualified": bool, "decision": str}
_MEETING = {
    "beaten": int, "won": int, "drawn": int, "lost": int, "games": int, "sets": int,
    "score": float, "low": float, "high": float, "elo": float, "elo_low": float, "elo_high": float,
}  # fmt: skip
_ALONE = {
    "mean": float, "low": float, "high": float, "deviation": float, "best": int, "games": int,
}  # fmt: skip
_COST = {"forfeits": int, "faults": int, "mean_ms": float}


def games_sheet(report: Report) -> Sheet:
    """The games that count, one a row; `cpu_ms` is the time of all actions `asked` together."""
    seats = report.contest.players
    columns = dict(_GAME)
    for seat in range(1, seats + 1):
        columns |= {f"{name}_{seat}": kind for name, kind in _SEAT.items()}
    rows = [_game(number, game) for number, game in enumerate(report.games, start=1)]
    return Sheet(columns, rows)


def _game(number: int, game: Game) -> list[Value]:
    row: list[Value] = [
        number, game.identity, game.set_number, game.map, game.ending, game.plies,
        len(game.faults), game.played_at,
    ]  # fmt: skip
    for seat, name in enumerate(game.bots):
        row += [name, game.returns[seat], game.points[seat], game.cpu_ms[seat], game.asked[seat]]
    return row


def seal_sheet(report: Report) -> Sheet:
    """The contest's seal, public value and seed: one row, none where it is not sealed."""
    found = seal_facts(report.contest)
    columns: dict[str, type] = {"seal": str, "public": str, "seed": str}
    return Sheet(columns, [[found[name] for name in columns]] if found else [])


def standings_sheet(report: Report) -> Sheet:
    """The standings, one bot a row.

    What a rule of the order counts has a column `rule NAME`, the score on each map `on NAME`.
    """
    maps = sorted({each for line in report.table for each in line.by_map})
    rules = own_columns([line for line in report.table if isinstance(line, Standing)])
    rules = [] if report.alone else [rule for rule in rules if rule != OPPONENTS_BEATEN]
    columns = _BOT | (_ALONE if report.alone else _MEETING) | _COST
    columns |= {f"rule {each}": float for each in rules} | {f"on {each}": float for each in maps}
    if spoilt := any(line.spoilt for line in report.table):
        columns |= {"infrastructure": int}  # games that a busy machine spoilt, played again
    bots = {bot.name: bot for bot in report.contest.bots}
    rows = []
    for line in report.table:
        head: list[Value] = [line.rank, line.name, "; ".join(bots[line.name].authors)]
        decision = "" if line.decision is None else f"{line.decision.kind}: {line.decision.why}"
        head += [bool(line.disqualified), decision]
        faults = sum(fault.count for fault in line.faults)
        rows.append(
            [
                *head,
                *(_alone(line) if isinstance(line, Score) else _meeting(line)),
                *(line.forfeits, faults, line.mean_ms),
                *(line.by_rule.get(each) for each in rules if isinstance(line, Standing)),
                *(line.by_map.get(each) for each in maps),
                *([len(line.spoilt)] if spoilt else []),
            ]
        )
    return Sheet(columns, rows)


def _meeting(line: Standing) -> list[Value]:
    rating = line.rating
    ends = (None, None) if rating is None or rating.interval is None else rating.interval
    return [
        line.beaten, line.won, line.drawn, line.lost, line.games, line.sets,
        line.score, *(line.interval or (None, None)), rating and rating.elo, *ends,
    ]  # fmt: skip


def _alone(line: Score) -> list[Value]:
    ends = line.interval or (None, None)
    return [line.mean, *ends, line.deviation, line.best, line.games]


def games_lines(report: Report) -> list[dict[str, Any]]:
    """The games that count as plain data, lists by seat."""
    return [{"number": number} | asdict(game) for number, game in enumerate(report.games, 1)]


def decisions_lines(report: Report) -> list[dict[str, Any]]:
    """What the organiser decided, and is in force, as plain data."""
    return [msgspec.to_builtins(decision) for decision in report.decisions]


def standings_lines(report: Report) -> list[dict[str, Any]]:
    """The standings as plain data, with what is said of each bot and its rating."""
    bots = {bot.name: bot for bot in report.contest.bots}
    return [_line(line, bots[line.name]) for line in report.table]


def _line(line: Standing | Score, bot: BotEntry) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(line)
    told = {"authors": list(bot.authors), "description": bot.description, "bot": bot.bot}
    return found | told
