"""A contest as it stands, whole: what every export and every plot is made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from joute.contest.config.contest import Contest
from joute.contest.config.contest_table import SCORE
from joute.contest.folder import has_store, kept, looked_at
from joute.contest.ranking.discipline import Decision
from joute.contest.run.plan import Plan
from joute.contest.schedule.formats import Table
from joute.contest.sealing.sealing import with_seal
from joute.store.game import Game
from joute.store.marks import Mark

Teams = Sequence[Sequence[int]]
"""Seats that play together; the others are on their own."""


class Report(NamedTuple):
    """What is known of a contest."""

    contest: Contest
    table: Table  # the standings
    games: list[Game]  # those that count, in the order of the schedule
    left: int  # games that may still be needed
    teams: dict[str, Teams]  # by map
    decisions: Sequence[Decision] = ()  # of the organiser, that are in force

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
    path = Path(contest.folder)
    seed, games = kept(path, contest.store)
    marks: dict[str, Mark] = {}
    if has_store(path):
        contest = with_seal(contest)
        with looked_at(path, contest.store) as store:
            marks = store.marked()
    return report_of(contest, Plan(contest, contest.seed or seed or "", games, marks=marks), games)


def report_of(contest: Contest, plan: Plan, played: Mapping[str, Game]) -> Report:
    """The contest as far as its plan knows; `played` are its games, by identity."""
    # A game may stand at two places of the schedule, with the names of other bots.
    games = [
        replace(
            played[outcome.identity],
            members=list(slot.members),
            set_number=slot.number,
            bots=list(slot.seats),
            map=slot.map,
        )
        for slot, outcome in plan.counted()
    ]
    teams = {each.name: each.parameters.get("teams", ()) for each in contest.maps}
    return Report(contest, plan.standings(), games, plan.left, teams, plan.decisions)
