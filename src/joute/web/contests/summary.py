"""A contest in short: its standings, who beat whom, how it came about.

It is made from the games that count and keeps none of them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from math import ceil
from pathlib import Path
from typing import NamedTuple, cast

from joute.contest.config.contest import Contest
from joute.contest.folder import LOCK
from joute.contest.report.comparisons import Cross, Pace, courses, cross, paces
from joute.contest.report.report import Report
from joute.contest.report.summary import left_behind
from joute.contest.run.ledger import Known, Ledger, Outcome
from joute.contest.run.plan import planned
from joute.contest.schedule.formats import Table
from joute.contest.schedule.schedule import Slot
from joute.store.game import Game
from joute.store.store import Store

FINISHED, PLAYING, PAUSED, NEW = "finished", "playing", "paused", "new"
STOPPED = "stopped"  # by the organiser, for good

POINTS = 120  # of the line of a bot's course, at most
RECENT = 200  # games by which the time left is told


class _Counted(NamedTuple):
    """A game that counts: of a whole game what comparisons go by, shared with others."""

    map: str
    set_number: int
    bots: Sequence[str]
    returns: Sequence[float]
    points: Sequence[int]
    cpu_ms: Sequence[float]
    asked: Sequence[int]

    @classmethod
    def at(cls, slot: Slot, game: Outcome) -> _Counted:
        """The game at a place of the schedule."""
        values = (game.returns, game.points, game.cpu_ms, game.asked)
        return cls(slot.map, slot.number, slot.seats, *values)


class Summary(NamedTuple):
    """What is known of a contest after `state`, the numbers of its last game and mark."""

    state: tuple[int, int]
    stage: str  # FINISHED, PLAYING, PAUSED, NEW or STOPPED
    done: int  # games that count
    left: int  # that may still be needed
    seconds_left: float | None  # while it is playing, by the pace of the last games
    report: Report  # without its games
    cross: Cross
    courses: dict[str, list[tuple[int, float]]]  # after so many games of the bot: its mean score
    paces: dict[str, Pace]
    last: str  # when the last game was played, ISO 8601, "" without one
    whole: bool = True  # whether all of this is known, and not the standings alone

    @property
    def table(self) -> Table:
        """The standings."""
        return self.report.table


def summarised(contest: Contest, store: Store, now: datetime | None = None) -> Summary:
    """The contest as its store has it now. Raises ValueError or OSError for bots that are gone."""
    state = store.state()
    ledger = Ledger.of(contest.players, store.results())
    plan = planned(contest, Known(store.seed(), ledger, store.marked()))
    teams = {each.name: each.parameters.get("teams", ()) for each in contest.maps}
    table = plan.standings()
    games = [_Counted.at(slot, outcome) for slot, outcome in plan.counted()]
    whole = Report(contest, table, cast(list[Game], games), plan.left, teams, plan.decisions)
    recent = [game.played_at for game in store.listed(count=RECENT)]
    stage = _stage(contest, plan.done, plan.left)
    return Summary(
        state=state,
        stage=stage,
        done=plan.done,
        left=plan.left,
        seconds_left=_seconds_left(plan.left, recent, now) if stage == PLAYING else None,
        report=whole._replace(games=[]),
        cross=cross(whole),
        courses={name: _thinned(row) for name, row in courses(whole).items() if row},
        paces=paces(whole),
        last=recent[0] if recent else "",
    )


def sketched(contest: Contest) -> Summary | None:
    """What whoever played a large contest has left behind: its standings, at once; None without.

    Raises FolderError, ValueError or OSError.
    """
    found = left_behind(contest)
    if found is None:
        return None
    teams = {each.name: each.parameters.get("teams", ()) for each in contest.maps}
    return Summary(
        state=(-1, -1),  # of no store: it is to be made whole
        stage=_stage(contest, found.done, found.left),
        done=found.done,
        left=found.left,
        seconds_left=None,
        report=Report(contest, found.table, [], found.left, teams, found.decisions),
        cross={},
        courses={},
        paces={},
        last="",
        whole=False,
    )


def is_played(folder: Path) -> bool:
    """Whether a process that is alive plays into the folder, as far as this machine knows."""
    try:
        process = int((folder / LOCK).read_text(encoding="utf-8"))
        os.kill(process, 0)
    except PermissionError:
        return True
    except (OSError, ValueError, OverflowError):
        return False
    return True


def _stage(contest: Contest, done: int, left: int) -> str:
    if left == 0:
        return FINISHED
    if is_played(Path(contest.folder)):
        return PLAYING
    return PAUSED if done else NEW


def _seconds_left(left: int, recent: Sequence[str], now: datetime | None) -> float | None:
    """How long the games that are left take at the pace of the `recent` ones, newest first."""
    if len(recent) < 2:
        return None
    since = (now or datetime.now(UTC)) - datetime.fromisoformat(recent[-1])
    return max(0.0, left * since.total_seconds() / len(recent))


def _thinned(row: list[float]) -> list[tuple[int, float]]:
    """At most so many points of a course, each with the number of its game, the last one too."""
    step = max(1, ceil(len(row) / POINTS))
    kept = {*range(len(row) - 1, -1, -step), len(row) - 1}
    return [(place + 1, row[place]) for place in sorted(kept)]
