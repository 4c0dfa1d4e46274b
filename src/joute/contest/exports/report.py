"""A contest as it stands, whole: what every export and every plot is made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from joute.contest.config import Contest
from joute.contest.contest_table import SCORE
from joute.contest.folder import kept
from joute.contest.formats import Table
from joute.contest.plan import Plan
from joute.store.game import Game

Teams = Sequence[Sequence[int]]
"""Seats that play together; the others are on their own."""


class Report(NamedTuple):
    """What is known of a contest."""

    contest: Contest
    table: Table  # the standings
    games: list[Game]  # those that count, in the order of the schedule
    left: int  # games that may still be needed
    teams: dict[str, Teams]  # by map

    @property
    def ranked(self) -> list[str]:
        """The bots in the order of the standings, without the disqualified."""
        return [line.name for line in self.table if not line.disqualified]

    @property
    def alone(self) -> bool:
        """Whether each bot plays by itself, for points."""
        return self.contest.format == SCORE


def read_report(contest: Contest) -> Report:
    """The contest as its folder has it. Raises FolderError."""
    seed, games = kept(Path(contest.folder), contest.store)
    return report_of(contest, Plan(contest, contest.seed or seed or "", games))


def report_of(contest: Contest, plan: Plan) -> Report:
    """The contest as far as its plan knows."""
    # A game may stand at two places of the schedule, with the names of other bots.
    games = [
        replace(
            game,
            members=list(slot.members),
            set_number=slot.number,
            bots=list(slot.seats),
            map=slot.map,
        )
        for slot, game in plan.counted()
    ]
    teams = {each.name: each.parameters.get("teams", ()) for each in contest.maps}
    return Report(contest, plan.standings(), games, plan.left, teams)
