"""A served contest at a moment: its report, and whether it is being played."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from joute.contest.config.contest import Contest
from joute.contest.contents import known_contents
from joute.contest.folder import LOCK
from joute.contest.report.report import Report, compared
from joute.contest.report.summary import read_summary
from joute.contest.run.ledger import KnownResults, Ledger
from joute.contest.run.plan import planned
from joute.play.broadcast import is_written
from joute.store.store import Store

FINISHED, PLAYING, PAUSED, NEW = "finished", "playing", "paused", "new"
STOPPED = "stopped"  # by the organiser, for good

RECENT = 200  # games by which the time left is told


class Snapshot(NamedTuple):
    """A contest after `state`, the numbers of its last game and decision."""

    state: tuple[int, int]
    stage: str  # FINISHED, PLAYING, PAUSED, NEW or STOPPED
    seconds_left: float | None  # while it is playing, by the pace of the last games
    report: Report  # without its games


def taken(contest: Contest, store: Store, now: datetime | None = None) -> Snapshot:
    """The contest as its store has it now.

    Raises ValueError or OSError if files of its bots are gone that the store knows nothing of,
    or a decision would hold for another bot than it was about.
    """
    state = store.state()
    ledger = Ledger.of(contest.players, store.results())
    in_force = store.in_force()
    contents = known_contents(contest, store, in_force)
    plan = planned(contest, KnownResults(store.seed(), ledger, in_force, contents))
    report = compared(contest, plan, plan.counted())
    recent = [game.played_at for game in store.listed(count=RECENT)]
    stage = _stage(contest, report, begun=plan.played > 0)
    seconds_left = _seconds_left(report.left, recent, now) if stage == PLAYING else None
    last = recent[0] if recent else ""
    return Snapshot(state, stage, seconds_left, report._replace(last=last))


def sketched(contest: Contest) -> Snapshot | None:
    """The standings that whoever played a large contest has left behind, at once; None without.

    Raises FolderError, ValueError or OSError.
    """
    found = read_summary(contest)
    if found is None:
        return None
    report = Report(contest, found.table, found.decisions, found.done, found.left, whole=False)
    # The state is that of no store: the snapshot is to be made whole.
    return Snapshot((-1, -1), _stage(contest, report, begun=found.kept > 0), None, report)


def is_played(folder: Path) -> bool:
    """Whether a process that is alive plays into the folder, as far as this machine knows.

    The number that a killed one has left may be another process's by now: its lock is not. That is
    looked at last, for whoever begins just then would find the folder locked.
    """
    try:
        with (folder / LOCK).open("rb") as lock:
            return _is_alive(int(lock.read())) and is_written(lock.fileno())
    except (OSError, ValueError):
        return False


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except PermissionError:  # of another user
        return True
    except (OSError, OverflowError):
        return False
    return True


def _stage(contest: Contest, report: Report, *, begun: bool) -> str:
    if report.left == 0:
        return FINISHED
    if is_played(Path(contest.folder)):
        return PLAYING
    return PAUSED if begun else NEW


def _seconds_left(left: int, recent: Sequence[str], now: datetime | None) -> float | None:
    """The time that the games left take at the pace of the `recent` ones, newest first."""
    if len(recent) < 2:
        return None
    since = (now or datetime.now(UTC)) - datetime.fromisoformat(recent[-1])
    return max(0.0, left * since.total_seconds() / len(recent))
