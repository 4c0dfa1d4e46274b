"""What a bot failed in, explained: what it means, what was said, the command that shows it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from joute.contest.folder import RECORDS
from joute.files import from_here
from joute.i18n.recognised import recognised
from joute.i18n.words import say

if TYPE_CHECKING:
    from joute.contest.config.contest import Contest
    from joute.contest.ranking.ranking import Standing
    from joute.contest.ranking.scores import Score


class Told(NamedTuple):
    """One kind of fault of one bot."""

    code: str
    name: str  # of the fault, as it is said
    times: int
    cost: str  # what it costs, as it is said
    meaning: str
    ply: int  # of the first time
    detail: str  # what was said then
    command: str  # that shows it, "" where no record is kept


def told(contest: Contest, line: Standing | Score) -> list[Told]:
    """The faults of a bot, the most frequent first."""
    return [
        Told(
            code=fault.fault,
            name=say(f"fault.{fault.fault}"),
            times=fault.count,
            cost=say(f"export.cost.{contest.costs.get(fault.fault, 'none')}"),
            meaning=say(f"explained.{fault.fault}"),
            ply=fault.ply,
            detail=str(recognised(fault.first.strip())),
            command=replay_command(contest, fault.game, fault.ply),
        )
        for fault in line.faults
    ]


def replay_command(contest: Contest, game: str, ply: int) -> str:
    """The command that shows a ply of a game, from where the user is; "" without a game."""
    if not game:
        return ""
    record = from_here(Path(contest.folder)) / RECORDS / f"{game}.jsonl"
    return f"joute replay {shlex.quote(str(record))} --at {ply}"
