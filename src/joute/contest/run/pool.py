"""Local worker processes: started where they are missing, fewer where the machine is short.

Nothing here needs a thread or waits without end: the coordinator asks, now and then, to `look` and
to `wait`. A worker that dies takes nothing with it but the batch that it was playing.
"""

from __future__ import annotations

import pickle
import selectors
import socket
import time
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import BrokenExecutor, Future
from contextlib import suppress
from typing import Any

from joute.contest.errors import WorkersError
from joute.contest.run.workers import HEAD, ForkServer, Play, PlayedGame, server_for
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.machine import ShortageError, shortage
from joute.play.game import GameSpec

Batch = Future[list[PlayedGame]]

MOST_EARLY_DEATHS = 9  # workers that die before they have answered anything, until all is given up
SHORT_SECONDS = 10.0  # for which a machine that is short of all workers is waited for
PAUSE_SECONDS = 0.5  # between two tries of a machine that is short
MORE_SECONDS = 30.0  # after which one worker more is tried again
LEAVE_SECONDS = 10.0  # for workers to end
_CHUNK = 1 << 20


class WorkerDied(RuntimeError):
    """A worker ended while it played a batch."""


class Pool:
    """Up to `most` processes that play batches of games, with `play` or else the referee."""

    insists = False  # a batch whose worker died is not given to another by itself
    waiting = 1  # batch that should be at hand for whoever is free first

    def __init__(self, most: int, play: Play | None = None) -> None:
        self._wanted = self._most = most
        self._play = play
        self._server: ForkServer | None = None
        self._workers: list[_Worker] = []
        self._queue: deque[tuple[Batch, bytes]] = deque()
        self._selector = selectors.PollSelector()
        self._died_early = 0
        self._not_before = 0.0  # by the monotonic clock: the next start of a worker
        self._short_since: float | None = None  # without any worker
        self._more_at = 0.0

    @property
    def workers(self) -> int:
        return len(self._workers)

    def look(self) -> None:
        """Starts the workers that are missing.

        Raises ShortageError if there can be none, WorkersError if none stays alive, BrokenExecutor
        if the process that forks them has died.
        """
        now = time.monotonic()
        if self._most < self._wanted and now > self._more_at:
            self._most += 1
            self._more_at = now + MORE_SECONDS
        try:
            while len(self._workers) < self._most and now >= self._not_before:
                self._start()
        except (BrokenPipeError, ConnectionResetError):
            raise BrokenExecutor from None
        except OSError as error:
            kind = shortage(error)
            if kind is None:
                raise WorkersError(
                    Sentence("error.run.no_worker", reason=foreign(error))
                ) from error
            self._run_short(kind)

    def _start(self) -> None:
        if self._server is None:
            self._server = server_for(self._play)
            self._selector.register(self._server.control, selectors.EVENT_READ, None)
        worker = _Worker(self._server.fork())
        self._workers.append(worker)
        self._selector.register(worker.line, selectors.EVENT_READ, worker)
        self._hand_out()

    def _run_short(self, kind: str) -> None:
        """Makes do with the workers that there are; without any, waits for a while."""
        now = time.monotonic()
        self._not_before = now + PAUSE_SECONDS
        if self._workers:
            self._most = len(self._workers)
            self._more_at = now + MORE_SECONDS
            return
        self._short_since = self._short_since or now
        if now - self._short_since > SHORT_SECONDS:
            raise ShortageError(kind)

    def fewer(self) -> bool:
        if len(self._workers) <= 1:
            return False
        idle = next((each for each in self._workers if each.batch is None), None)
        self._most = len(self._workers) - 1
        self._more_at = time.monotonic() + MORE_SECONDS
        if idle is not None:
            idle.dismiss()
        return True

    def submit(self, specs: Sequence[GameSpec]) -> Batch:
        """Has a batch played, by the first worker that is free."""
        future: Batch = Future()
        self._queue.append((future, pickle.dumps((self._play, tuple(specs)))))
        self._hand_out()
        return future

    def _hand_out(self) -> None:
        for worker in self._workers:
            while worker.batch is None and not worker.leaving and self._queue:
                future, data = self._queue.popleft()
                if future.set_running_or_notify_cancel():
                    worker.begin(future, data)
                    self._listen(worker)

    def _listen(self, worker: _Worker) -> None:
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if worker.unsent else 0)
        self._selector.modify(worker.line, events, worker)

    def begun(self, futures: Iterable[Batch]) -> list[Batch]:
        return [future for future in futures if not future.cancel()]

    def wait(self, futures: Iterable[Batch], seconds: float, whole: bool = False) -> None:
        awaited = list(futures)
        over = all if whole else any
        deadline = time.monotonic() + seconds
        while not over(each.done() for each in awaited):
            left = deadline - time.monotonic()
            if left <= 0 or not self._selector.get_map():
                return
            for key, events in self._selector.select(left):
                if key.data is None:
                    self._hear_server()
                    break  # of the others none is left
                self._hear(key.data, events)

    def _hear_server(self) -> None:
        """The process that forks has said why it cannot, or has died."""
        data = b""
        if self._server is not None:
            with suppress(OSError):
                data = self._server.control.recv(_CHUNK)
        said = pickle.loads(data) if data else None  # noqa: S301 - of our own process
        self.abandon()
        if isinstance(said, ShortageError):
            self._run_short(said.kind)
        elif said is not None:
            raise WorkersError(Sentence("error.run.no_worker", reason=foreign(said)))
        else:
            self._died_early += 1
            self._check_alive()

    def _hear(self, worker: _Worker, events: int) -> None:
        if events & selectors.EVENT_WRITE:
            worker.flush()
        said = worker.take() if events & selectors.EVENT_READ else None
        if worker.ended:
            self._remove(worker)
        elif isinstance(said, ShortageError) and worker.batch is None:
            self._remove(worker)
            self._run_short(said.kind)
        elif said is not None:
            self._died_early = 0
            self._short_since = None
            worker.settle(said)
            if len(self._workers) > self._most:
                worker.dismiss()
            self._hand_out()
        if worker in self._workers:
            self._listen(worker)

    def _remove(self, worker: _Worker) -> None:
        """A worker has ended; its batch, if it had one, is over."""
        self._workers.remove(worker)
        self._selector.unregister(worker.line)
        worker.line.close()
        if worker.batch is not None:
            worker.settle(WorkerDied("it ended in the middle of a game"))
        elif not worker.leaving and not worker.spoken:
            self._died_early += 1
            self._check_alive()

    def _check_alive(self) -> None:
        if self._died_early >= MOST_EARLY_DEATHS:
            raise WorkersError(Sentence("error.run.dying"))

    def renew(self) -> None:
        self.abandon()

    def abandon(self) -> None:
        """Ends the workers in the middle of whatever they do; their batches fail."""
        if self._server is not None:
            self._selector.unregister(self._server.control)
            self._server.kill()
            self._server = None
        for future, _ in self._queue:
            future.cancel()
        self._queue.clear()
        self._await_end()

    def close(self) -> None:
        """Lets the workers leave, and ends."""
        for worker in self._workers:
            worker.dismiss()
        self._await_end()
        if self._server is not None:
            self._selector.unregister(self._server.control)
            self._server = None  # it ends when nobody needs it any more
        self._selector.close()

    def _await_end(self) -> None:
        deadline = time.monotonic() + LEAVE_SECONDS
        while self._workers and (left := deadline - time.monotonic()) > 0:
            for key, _ in self._selector.select(left):
                worker = key.data
                if worker is None:
                    break  # the server has died, and they with it
                worker.take()
                worker.leaving = True
                if worker.ended:
                    self._remove(worker)
        for worker in list(self._workers):
            worker.leaving = True
            self._remove(worker)

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None:
            self.abandon()
        self.close()


class _Worker:
    """The coordinator's side of one worker; never blocks on it."""

    def __init__(self, line: socket.socket) -> None:
        line.setblocking(False)
        self.line = line
        self.batch: Batch | None = None
        self.unsent = b""
        self.ended = False
        self.leaving = False
        self.spoken = False  # whether it ever answered
        self._heard = bytearray()

    def begin(self, batch: Batch, data: bytes) -> None:
        """Has it play a batch."""
        self.batch = batch
        self.unsent = data
        self.flush()

    def flush(self) -> None:
        """Sends as much as there is room for; that it has ended is heard when it is listened to."""
        with suppress(BlockingIOError):
            try:
                self.unsent = self.unsent[self.line.send(self.unsent) :]
            except (BrokenPipeError, ConnectionResetError):
                self.unsent = b""

    def take(self) -> Any:
        """Its answer, once it is there whole; None before, and at its end."""
        try:
            data = self.line.recv(_CHUNK)
        except BlockingIOError:
            return None
        except ConnectionResetError:
            data = b""
        self.ended = not data
        self._heard += data
        if len(self._heard) < HEAD.size:
            return None
        end = HEAD.size + HEAD.unpack_from(self._heard)[0]
        if len(self._heard) < end:
            return None
        said = pickle.loads(bytes(self._heard[HEAD.size : end]))  # noqa: S301 - of our worker
        del self._heard[:end]
        self.spoken = True
        return said

    def settle(self, said: Any) -> None:
        """Its batch is over: there is what came of it, or why there is nothing."""
        batch, self.batch = self.batch, None
        if batch is None:
            return
        if isinstance(said, list):
            batch.set_result(said)
        else:
            batch.set_exception(said if isinstance(said, Exception) else WorkerDied(said))

    def dismiss(self) -> None:
        """Lets it leave once it has played what it has."""
        self.leaving = True
        with suppress(OSError):
            self.line.shutdown(socket.SHUT_WR)
