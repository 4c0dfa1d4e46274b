"""Runs a contest from where it stands, keeps its games in its folder, and reports its status."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from joute.contest.config.contest import Contest
from joute.contest.config.submission import check_submissions
from joute.contest.errors import FolderError, GoneError, Interrupted
from joute.contest.proof.counted import note_lost
from joute.contest.rating.sprt import PairsUntilDecided, SequentialTest
from joute.contest.report.standings import write_results
from joute.contest.report.summary import Summary, SummaryWriter, summary
from joute.contest.run.coordinator import Coordinator, Failure, Progress, Stop
from joute.contest.run.isolation import check_isolation
from joute.contest.run.plan import Plan, planned
from joute.contest.run.playing import Folder
from joute.contest.run.pool import Pool
from joute.contest.run.tasks import compile_builtins
from joute.contest.run.workers import Play
from joute.contest.schedule.schedule import Schedule
from joute.contest.sealing import keep_configuration
from joute.machine import ShortageError
from joute.play.broadcast import LIVE, Broadcaster, swept
from joute.store.model import Decision

if TYPE_CHECKING:
    from joute.contest.run.cluster.dask_pool import DaskPool, Hear


LOOKS = 4  # at most, at a store that another runner writes, for files of all that is there


class Until(NamedTuple):
    """A sequential test that ends a run of two bots' contest, and the most that may be spent."""

    test: SequentialTest
    games: int  # an even number
    spent: Callable[[Plan], bool] = lambda plan: False  # whether something else is used up

    def schedule(self, contest: Contest, seed: str) -> PairsUntilDecided:
        """The pairs that the test still needs; the first bot is tested against the second."""
        first, second = (bot.name for bot in contest.bots)
        maps = [each.name for each in contest.maps]
        return PairsUntilDecided((first, second), seed, self.games, self.test, maps=maps)

    def enough(self, plan: Plan) -> bool:
        """Whether no more games are to be played."""
        return bool(self.test.decision) or self.spent(plan)


def never() -> bool:
    """Never enough: all games of a contest are played."""
    return False


class RunSummary(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a run. The contest is complete if nothing is `left`."""

    played: int  # games of this run
    already: int  # games that were there before it, and that the schedule asks for
    failed: int  # games given up, for reasons that are no bot's
    left: int  # games that may still be needed: those given up, and what a time budget cut off
    seconds: float
    failures: list[Failure]
    seed: str


class Status(msgspec.Struct, frozen=True, kw_only=True):
    """The state of a contest. `left` is an upper bound with `first_to`."""

    done: int
    left: int
    seed: str | None  # None before the first run, unless the file gives it
    kept: int  # games in the folder, those that do not count any more included
    decisions: list[Decision]  # of the organiser, that are in force


def run_contest(
    contest: Contest,
    progress: Progress | None = None,
    workers: int | None = None,
    play: Play | None = None,
    trust: bool = False,
    dask: str | None = None,
    hear: Hear | None = None,
    until: Until | None = None,
    schedule: Callable[[Contest, str], Schedule] | None = None,
    redraw: bool = False,
) -> RunSummary:
    """Plays what remains of a contest, with `play` in the workers or else the referee.

    With `trust` bots run even where a machine does not isolate them as the contest wants.
    The workers are processes of this machine, or those of the Dask scheduler at the address `dask`;
    `hear` then hears of workers that cannot play.
    After the contest's `minutes` no more games are handed out. With `until` pairs of its two bots
    are played until a sequential test is decided, which has counted them then. `schedule` gives,
    by the contest and its seed, the same games as that of its format, in another order.
    With `redraw` games may stop counting because other bots have the contest drawn again.
    Raises BuiltinError or GameError if a built-in bot or the rules cannot be compiled,
    UnsafeError if this machine is to play and does not isolate bots that are not trusted,
    WorkersError if nobody can play, SubmissionError if the files of some bots break the contest's
    rules, SealError if a sealed contest was changed or waits for its public value, RedrawError,
    Interrupted if stopped by SIGINT or SIGTERM (what is complete is kept), LockedError if
    the folder is in use, FolderError if it cannot be used, GoneError if it was deleted meanwhile,
    ShortageError if the machine has too little of something (what is complete is kept).
    """
    started = time.monotonic()
    if play is None and not trust and dask is None:
        check_isolation(contest)
    check_submissions(contest.submission, contest.bots, Path(contest.base))
    with Folder(Path(contest.folder), contest.store) as folder:
        note_lost(folder)
        contest, seed = keep_configuration(contest, folder, redraw)
        make = until.schedule if until is not None else schedule
        own = None if make is None else make(contest, seed)
        plan = planned(contest, folder.known(contest), seed, own)
        before = plan.kept
        live = folder.path / LIVE
        swept(live)
        write_files = partial(_write_files, folder, contest, seed, plan if until is None else None)

        def workers_there() -> Pool | DaskPool:
            if dask is None:
                most = min(workers or contest.workers, plan.left)
                return Pool(most, play or Broadcaster(live))
            from joute.contest.run.cluster.dask_pool import DaskPool, demand_of

            return DaskPool(dask, demand_of(contest, trust or play is not None), play, hear)

        failures: list[Failure] = []
        try:
            if plan.due:
                if play is None and dask is None:
                    compile_builtins(contest)
                minutes = math.inf if contest.minutes is None else contest.minutes
                deadline = time.monotonic() + 60 * minutes
                writer = None if until is not None else SummaryWriter(contest, plan, seed)
                watch = partial(_watch, folder, writer, progress)
                enough = never if until is None else partial(until.enough, plan)
                failures = _play(plan, folder, watch, workers_there, deadline, enough)
        except GoneError:
            raise
        except BaseException:
            # What was wrong before says more. Files of rows that cannot be told stay as they are.
            with suppress(OSError, FolderError, ShortageError):
                write_files()
            raise
        finally:
            swept(live)  # workers that were stopped in the middle of a game
        write_files()
        folder.check()
        already = plan.played_before(before)
        return RunSummary(
            played=plan.played - already,
            already=already,
            failed=len(failures),
            left=plan.left,
            seconds=time.monotonic() - started,
            failures=failures,
            seed=seed,
        )


def _write_files(folder: Folder, contest: Contest, seed: str, plan: Plan | None) -> None:
    """Writes the results into the folder; without a `plan`, those of all that is asked.

    The plan of a test hands out no more pairs than it needs. Files tell of all that is there, also
    from another runner with the same database.
    """
    told = plan or planned(contest, folder.known(contest), seed)
    looks = 1
    while not folder.all_known() and looks < LOOKS:
        told = planned(contest, folder.known(contest), seed)
        looks += 1
    write_results(folder.path, contest, told, seed)


def _watch(
    folder: Folder,
    writer: SummaryWriter | None,
    progress: Progress | None,
    *facts: Any,
) -> None:
    """Writes the summary of a large contest, now and then, and tells of the progress."""
    if writer is not None and not folder.shared:
        writer.look()
    if progress is not None:
        progress(*facts)


def _play(
    plan: Plan,
    folder: Folder,
    progress: Progress,
    workers_there: Callable[[], Pool | DaskPool],
    deadline: float,
    enough: Callable[[], bool],
) -> list[Failure]:
    try:
        with Stop() as stop, workers_there() as pool:

            def watch(*facts: Any) -> None:
                stop.requested = stop.requested or enough()
                progress(*facts)

            coordinator = Coordinator(plan, pool, folder.save, watch, stop, deadline, folder.check)
            try:
                coordinator.run()
            except Interrupted:
                if not enough():
                    raise
            return coordinator.failures
    except KeyboardInterrupt:
        raise Interrupted(plan.done, plan.done + plan.left) from None


def status(contest: Contest) -> Status:
    """The state of a contest, without playing. Raises FolderError."""
    return status_of(summary(contest))


def status_of(found: Summary) -> Status:
    """The status that a summary holds."""
    return Status(**{name: getattr(found, name) for name in Status.__struct_fields__})
