"""Standings as a table, and below it what each bot failed in."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from joute.cli.tables import print_table
from joute.cli.words import say

if TYPE_CHECKING:
    from joute.contest.coordinator import Failure
    from joute.contest.ranking import FaultCount, Standing

_COLUMNS = ("rank", "bot", "beaten", "results", "score", "ms", "faults")
_LEFT = ("bot", "results", "score")
_REASON_CHARACTERS = 160


def print_standings(table: list[Standing], title: str, records: Path | None = None) -> None:
    """Prints standings; `records` is the folder of the records that faults are shown in."""
    print_table(
        [say(f"standings.{column}") for column in _COLUMNS],
        [_cells(line) for line in table],
        title=title,
        numbers=[place for place, column in enumerate(_COLUMNS) if column not in _LEFT],
    )
    for line in table:
        if line.forfeits:
            print(say("standings.forfeits", name=line.name, count=line.forfeits))
        for fault in line.faults:
            print(_fault(line.name, fault))
            if records is not None and fault.game:
                record = (records / fault.game).with_suffix(".jsonl")
                print(f"    joute replay {record} --at {fault.ply}")


def print_failures(failures: Iterable[Failure]) -> None:
    """Prints the games that could not be played, through no fault of a bot."""
    for failure in failures:
        print(say("standings.unplayed", bots=" - ".join(failure.bots), reason=failure.reason))


def _cells(line: Standing) -> list[str]:
    return [
        str(line.rank),
        line.name,
        str(line.beaten),
        f"{line.won}-{line.drawn}-{line.lost}",
        _score(line),
        "" if line.mean_ms is None else f"{line.mean_ms:.1f}",
        str(sum(fault.count for fault in line.faults)),
    ]


def _score(line: Standing) -> str:
    """The score over complete pairs, in percent, with its 95 % interval; "" without a pair."""
    if line.score is None or line.interval is None:
        return ""
    low, high = 100 * line.interval.low, 100 * line.interval.high
    return f"{100 * line.score:5.1f}  [{low:.0f}, {high:.0f}]"


def _fault(name: str, fault: FaultCount) -> str:
    from joute.contest.standings import first_line

    reason = first_line(fault.first)
    if len(reason) > _REASON_CHARACTERS:
        reason = f"{reason[:_REASON_CHARACTERS]}..."
    return say(
        "standings.fault",
        name=name,
        fault=say(f"fault.{fault.fault}"),
        count=fault.count,
        ply=fault.ply,
        reason=reason,
    )
