"""Has a plan played: hands batches to workers, saves their results, and survives their deaths.

Batches are sized by the time that games turn out to take. Nobody can say which game of a batch
killed its worker: the games left unfinished are played again one at a time, so that the next death
has one cause. A game that keeps killing its worker, or fails for a reason that is no bot's, is
given up and reported; the rest goes on. A game for which the machine has too little of something is
played again, with fewer workers or after a pause; if that does not help, the run ends.
"""

from __future__ import annotations

import math
import signal
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import BrokenExecutor, Future
from types import FrameType
from typing import Any, NamedTuple, Protocol

from joute.contest.errors import Interrupted, WorkersError
from joute.contest.run.plan import Plan
from joute.contest.run.tasks import BUSY, TRIES, Due, Task, note
from joute.contest.run.workers import PlayedGame
from joute.contest.schedule.schedule import Slot
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.machine import ShortageError, shortage
from joute.play.game import GameSpec
from joute.store.model import Decision, StoredGame

Progress = Callable[[int, int, float, float | None], object]
"""Called with games done, games in all (at most), games per second, seconds left if known."""

BATCH_SECONDS = 1.5  # of work in a batch
LARGEST_BATCH = 256  # games; what a kill can cost is one batch a worker
DEATHS_AT_START = 3 * TRIES  # of workers, without a single batch back, before all is given up
SHORT_TRIES = 4  # of a machine that is short of something, with one worker left
SHORT_SECONDS = 1.0  # before the second of them; before each other twice as long
GRACE_SECONDS = 2.0  # for running batches to finish when asked to stop
POLL_SECONDS = 0.1  # between looks at whether to stop
FORGET = 0.8  # weight of the past in the mean length of a game


class Finished(NamedTuple):
    """A task and what came of it: its result, or else a note."""

    task: Task
    played: PlayedGame
    note: Decision | None = None  # that the machine spoilt it


class Failure(NamedTuple):
    """A game that could not be played, for a reason that is no bot's."""

    bots: tuple[str, ...]  # in seat order
    seed: str
    reason: object  # a text, or a sentence


class Workers(Protocol):
    """Whoever plays: processes of this machine (`pool`), or of others (`cluster`)."""

    insists: bool  # whether a batch whose worker died was given to others already

    @property
    def workers(self) -> int:
        """The number of games that they play at once; 0 while nobody is there."""

    @property
    def waiting(self) -> int:
        """The number of batches that should be at hand besides."""

    def look(self) -> None:
        """Notices who came and went.

        Raises BrokenExecutor if all is lost, ShortageError or WorkersError if nobody can play.
        """

    def submit(self, specs: Sequence[GameSpec]) -> Future[list[PlayedGame]]:
        """Has a batch played; cancelled if it was not and is to be handed out again.

        Raises BrokenExecutor if all is lost.
        """

    def wait(
        self, futures: Iterable[Future[list[PlayedGame]]], seconds: float, whole: bool = False
    ) -> None:
        """Waits, for so long at most, until a batch is over, or with `whole` all of them.

        Raises ShortageError or WorkersError if nobody can play.
        """

    def fewer(self) -> bool:
        """Goes on with one worker less; False if that cannot be."""

    def begun(self, futures: Iterable[Future[list[PlayedGame]]]) -> list[Future[list[PlayedGame]]]:
        """The batches worth waiting for when all is to end; the others may be cancelled."""

    def renew(self) -> None:
        """Begins anew, after all was lost. Raises WorkersError if that cannot be."""

    def abandon(self) -> None:
        """Stops, whatever is being played."""


class Coordinator:
    """Plays a plan to its end.

    `save` keeps a batch with its notes, and returns the rows of its games; it is called once each.

    After `deadline`, by the monotonic clock, no more games are handed out; the others end.
    `check` is called again and again meanwhile; what it raises ends the run.
    After `run`, `played` counts the games and `failures` lists those given up.
    """

    def __init__(
        self,
        plan: Plan,
        pool: Workers,
        save: Callable[[list[Finished]], list[StoredGame]],
        progress: Progress | None,
        stop: Stop,
        deadline: float = math.inf,
        check: Callable[[], object] = lambda: None,
    ) -> None:
        self._plan = plan
        self._pool = pool
        self._save = save
        self._progress = progress
        self._stop = stop
        self._deadline = deadline
        self._running: dict[Future[list[PlayedGame]], list[Task]] = {}
        self._suspects: deque[Task] = deque()  # were running when a worker died
        self._tries: Counter[Slot] = Counter()
        self._game_seconds = BATCH_SECONDS  # mean so far: the first batches are single games
        self._started = time.monotonic()
        self._deaths = 0  # of workers, or of all of them at once
        self._shorts = 0  # in a row, without a game that could be played
        self._not_before = 0.0  # by the monotonic clock: the next game
        self._lacking: str | None = None  # of which there is too little for a single worker
        self._check = check
        self._answered = False  # whether any batch ever came back
        self.played = 0
        self.failures: list[Failure] = []

    def run(self) -> None:
        """Plays all that is due, and what becomes due.

        Raises Interrupted if asked to stop, WorkersError if no worker stays alive, ShortageError
        if the machine has too little of something.
        """
        self._report()
        while not self._stop.requested:
            self._check()
            try:
                self._pool.look()
                self._fill()
            except BrokenExecutor:
                self._collect_all()
                continue
            if self._running:
                self._collect(self._over())
            elif not self._left():
                return
            else:
                time.sleep(POLL_SECONDS)
        self._wind_up()
        raise Interrupted(self._plan.done, self._plan.done + self._plan.left)

    def _left(self) -> bool:
        return time.monotonic() < self._deadline and bool(self._suspects or self._plan.due)

    def _fill(self) -> None:
        """Keeps every worker busy and some batches waiting; suspects are played alone."""
        room = self._pool.workers and self._pool.workers + self._pool.waiting
        while self._left() and time.monotonic() >= self._not_before and len(self._running) < room:
            if self._suspects:
                self._submit([self._suspects.popleft()], self._suspects)
            else:
                batch = [self._plan.due.popleft() for _ in range(self._batch_size())]
                self._submit(batch, self._plan.due)

    def _submit(self, batch: list[Task], queue: deque[Task] | Due) -> None:
        try:
            future = self._pool.submit([task.spec for task in batch])
        except BrokenExecutor:
            queue.extendleft(reversed(batch))
            raise
        self._running[future] = batch

    def _batch_size(self) -> int:
        wanted = int(BATCH_SECONDS / max(self._game_seconds, 1e-6))
        share = math.ceil(len(self._plan.due) / (2 * self._pool.workers))
        return max(1, min(wanted, LARGEST_BATCH, share))

    def _over(self) -> list[Future[list[PlayedGame]]]:
        """The batches that are over, after a moment at most.

        One that was cancelled may be over without `wait` hearing of it.
        """
        self._pool.wait(self._running, POLL_SECONDS)
        return [future for future in self._running if future.done()]

    def _collect(self, done: Iterable[Future[list[PlayedGame]]]) -> None:
        finished: list[Finished] = []
        for future in done:
            tasks = self._running.pop(future)
            error = None if future.cancelled() else future.exception()
            if future.cancelled():
                self._plan.due.extendleft(reversed(tasks))
            elif error is None:
                self._answered = True
                finished += self._sorted_out(tasks, future.result())
            elif (kind := shortage(error)) is not None:
                self._plan.due.extendleft(reversed(tasks))
                self._run_short(kind)
            else:
                self._note_death()
                self._suspect(tasks, Sentence("error.run.died", reason=foreign(error)))
        self._keep(finished)
        if self._lacking is not None:
            raise ShortageError(self._lacking)

    def _sorted_out(self, tasks: list[Task], batch: list[PlayedGame]) -> list[Finished]:
        """The games that have a result; the others are tried again or given up."""
        finished = []
        short: list[tuple[Task, str]] = []
        for task, played in zip(tasks, batch, strict=True):
            self._game_seconds += (1 - FORGET) * (played.seconds - self._game_seconds)
            result = played.result
            if result is None and played.short is not None:
                short.append((task, played.short))
            elif result is None and played.spoilt:
                finished.append(Finished(task, played, self._spoilt(task, played)))
            elif result is None:
                self._try_again(task, played.failure, self._plan.due)
            elif result.identity != task.identity:
                self._give_up(task, Sentence("error.run.changed"))
            elif result.busy and task.tries + 1 < TRIES:
                # On a machine that is always busy the last try counts; its record says so.
                decision = note(task.identity, result.waited_for, BUSY)
                finished.append(Finished(task, played, decision))
            else:
                finished.append(Finished(task, played))
        if finished:
            self._shorts = 0
        if short:
            self._plan.due.extendleft(task for task, _ in reversed(short))
            self._run_short(short[-1][1])
        return finished

    def _spoilt(self, task: Task, played: PlayedGame) -> Decision:
        """Counts a failed try, after too many of which the game is given up; the note of it."""
        self._tries[task.slot] += 1
        if self._tries[task.slot] >= TRIES:
            self._give_up(task, played.failure, TRIES)
        return note(task.identity, played.waited_for, played.failure)

    def _run_short(self, kind: str) -> None:
        """Goes on with fewer workers, or later, where the machine has too little of something."""
        if self._pool.fewer():
            return
        self._shorts += 1
        if self._shorts >= SHORT_TRIES:
            self._lacking = kind
        self._not_before = time.monotonic() + SHORT_SECONDS * 2 ** (self._shorts - 1)

    def _suspect(self, tasks: list[Task], reason: object) -> None:
        """Has the games of a batch that killed its worker played one at a time."""
        if self._pool.insists and len(tasks) == 1:
            self._give_up(tasks[0], reason)
            return
        for task in tasks:
            self._try_again(task, reason, self._suspects)

    def _collect_all(self) -> None:
        """Takes in the batches of a broken pool (its executor ends them all), and renews it."""
        while self._running:
            self._collect(self._over())
        self._note_death()
        self._pool.renew()

    def _note_death(self) -> None:
        self._deaths += 1
        if not self._answered and self._deaths >= DEATHS_AT_START:
            raise WorkersError(Sentence("error.run.dying"))

    def _try_again(self, task: Task, reason: object, queue: deque[Task] | Due) -> None:
        self._tries[task.slot] += 1
        if self._tries[task.slot] < TRIES:
            queue.append(task)
        else:
            self._give_up(task, reason, TRIES)

    def _give_up(self, task: Task, reason: object, times: int = 1) -> None:
        if times > 1:
            reason = Sentence("error.run.tried", reason=reason, times=times)
        self.failures.append(Failure(task.slot.seats, task.slot.seed, reason))

    def _keep(self, finished: list[Finished]) -> None:
        if not finished:
            return
        rows = {game.identity: game for game in self._save(finished)}
        for one in finished:
            name = one.task.identity
            if one.note is None:
                self._plan.record(rows[name])
                self.played += 1
            else:
                given_up = self._tries[one.task.slot] >= TRIES
                self._plan.spoil(name, one.note, rows.get(name), given_up)
        self._report()

    def _wind_up(self) -> None:
        """Lets running batches finish for a moment, keeps what they bring, abandons the rest."""
        begun = self._pool.begun(self._running)
        self._pool.wait(begun, GRACE_SECONDS, whole=True)
        self._collect([future for future in begun if future.done()])
        self._pool.abandon()

    def _report(self) -> None:
        if self._progress is None:
            return
        rate = self.played / max(time.monotonic() - self._started, 1e-9)
        left = self._plan.left
        self._progress(self._plan.done, self._plan.done + left, rate, left / rate if rate else None)


_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stop:
    """While open, the first SIGINT, SIGTERM or SIGHUP sets `requested`; a second SIGINT interrupts.

    A signal that was ignored stays so, as SIGHUP under `nohup`. Signals can be caught in a
    program's main thread only; elsewhere `requested` is left to others.
    """

    def __init__(self) -> None:
        self.requested = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Stop:
        if threading.current_thread() is threading.main_thread():
            self._before = {
                number: signal.signal(number, self._note)
                for number in _SIGNALS
                if signal.getsignal(number) != signal.SIG_IGN
            }
        return self

    def _note(self, number: int, _frame: FrameType | None) -> None:
        if self.requested and number == signal.SIGINT:
            raise KeyboardInterrupt
        self.requested = True

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
