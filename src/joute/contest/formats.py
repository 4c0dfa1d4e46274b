"""What each format of contests plays, and how it ranks: the one place that tells them apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from joute.contest.config import Contest
from joute.contest.contest_table import SCORE
from joute.contest.discipline import Offence
from joute.contest.ranking import Standing, rank
from joute.contest.rating.rating import rate
from joute.contest.rows import Row, among_others
from joute.contest.schedule import Schedule
from joute.contest.schedules.alone import Alone
from joute.contest.schedules.round_robin import RoundRobin
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


def ranked(
    contest: Contest, rows: Sequence[Row], out: Mapping[str, list[Offence]] | None = None
) -> Table:
    """The standings of a contest after these games; `out` are the disqualified, for what."""
    names = [bot.name for bot in contest.bots]
    if contest.format == SCORE:
        return rank_scores(names, rows, out)
    out = out or {}
    table = rank(names, rows, contest.ranking, contest.first_to, out)
    ratings = rate([name for name in names if name not in out], among_others(rows, out))
    by_name = {} if ratings is None else {rating.name: rating for rating in ratings.bots}
    return [msgspec.structs.replace(line, rating=by_name.get(line.name)) for line in table]
