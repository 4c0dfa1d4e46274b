"""A dry run: what a contest would play now, how many games it has, and how long they may take."""

from __future__ import annotations

from math import ceil
from statistics import fmean

import msgspec

from joute.contest.config.contest import Contest
from joute.contest.folder import known
from joute.contest.run.plan import Plan, planned


class PlannedSet(msgspec.Struct, frozen=True):
    """Games of the same bots, deals and map, to be played at different seats."""

    number: int  # of the set among those of these bots, from 0
    bots: tuple[str, ...]  # in the seats of the first game
    map: str  # "" where there are none
    games: int


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """The games that a contest has played, and those that it is going to play.

    Times are in seconds, with the contest's workers. They count what bots take, not the start of
    programs by the machine nor the referee's own work.
    """

    done: int
    left: int  # at most, where it depends on results
    certain: int  # games of `sets`
    sets: list[PlannedSet]  # that will be played whatever the results, in order
    workers: int
    longest: float  # if every answer of every game takes all of its time
    expected: float | None  # by the games played so far; None without one


def forecast(contest: Contest) -> Forecast:
    """The forecast of a contest as it stands in its folder. Raises FolderError.

    A contest without a seed of its own draws one at its first run: what a draw decides is then
    another than here.
    """
    from joute.core.interface import max_answers
    from joute.core.registry import make

    plan = planned(contest, known(contest))
    answers = max(max_answers(make(contest.game, **each.parameters)) for each in contest.maps)
    limits = contest.limits
    turns = answers * (limits.move_seconds + limits.increment_seconds + limits.grace_seconds)
    game = turns + contest.players * (limits.bank_seconds + limits.start_seconds)
    spent = [sum(played.cpu_ms) / 1000 for _, played in plan.counted()]
    sets = _sets(plan)
    return Forecast(
        done=plan.done,
        left=plan.left,
        certain=sum(each.games for each in sets),
        sets=sets,
        workers=contest.workers,
        longest=ceil(plan.left / contest.workers) * game,
        expected=plan.left / contest.workers * fmean(spent) if spent else None,
    )


def _sets(plan: Plan) -> list[PlannedSet]:
    found: dict[tuple[tuple[str, ...], int, str], PlannedSet] = {}
    for slot in plan.due.slots():
        key = (slot.members, slot.number, slot.map)
        before = found.get(key, PlannedSet(slot.number, slot.seats, slot.map, 0))
        found[key] = msgspec.structs.replace(before, games=before.games + 1)
    return list(found.values())
