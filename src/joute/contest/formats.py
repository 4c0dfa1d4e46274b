"""What each format of contests plays, and how it ranks: the one place that tells them apart."""

from __future__ import annotations

from collections.abc import Iterable

from joute.contest.config import SCORE, Contest
from joute.contest.ranking import Standing, rank
from joute.contest.rows import Row
from joute.contest.schedule import Alone, RoundRobin, Schedule
from joute.contest.scores import Score, rank_scores

Table = list[Standing] | list[Score]
"""Standings, best first."""


def schedule_of(contest: Contest, seed: str) -> Schedule:
    """The schedule of a contest, nothing of it handed out yet."""
    names = [bot.name for bot in contest.bots]
    maps = [each.name for each in contest.maps]
    if contest.format == SCORE:
        return Alone(names, seed, contest.max_games // len(maps), maps)
    return RoundRobin(
        names, seed, contest.max_games, contest.first_to, seats=contest.players, maps=maps
    )


def ranked(contest: Contest, rows: Iterable[Row]) -> Table:
    """The standings of a contest after these games."""
    names = [bot.name for bot in contest.bots]
    return rank_scores(names, rows) if contest.format == SCORE else rank(names, rows)
