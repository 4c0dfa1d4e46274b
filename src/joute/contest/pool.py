"""Local worker processes: a pool that can be renewed when a worker dies.

The workers are forked from a small server process that has imported the referee once: they start
in milliseconds, share its memory, and inherit none of the coordinator's threads, files or locks.
Besides the executor's pipes each has the end of one more, `stay`: when the coordinator's end of it
closes, at the latest because the coordinator is dead, they leave at once.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import forkserver, resource_tracker
from types import TracebackType

from joute.contest.work import Play, Played, play_batch, prepare
from joute.play.game import GameSpec


class Pool:
    """`workers` processes that play batches of games."""

    apart = False  # one that dies takes the others with it, and what they were playing
    waiting = 1  # batch that should be at hand for whoever is free first

    def __init__(self, workers: int, play: Play | None = None) -> None:
        self.workers = workers
        self._play = play
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["joute.contest.work", "joute.play.referee"])
        _start_server()
        self._open()

    def _open(self) -> None:
        self._stay, self._leave = self._context.Pipe(duplex=False)
        self._executor = ProcessPoolExecutor(self.workers, self._context, prepare, (self._stay,))

    def look(self) -> None:
        """Nobody comes or goes but by dying, which the executor notices."""

    def submit(self, specs: Sequence[GameSpec]) -> Future[list[Played]]:
        """Have a batch played. Raises BrokenExecutor if a worker has died."""
        return self._executor.submit(play_batch, self._play, tuple(specs))

    def begun(self, futures: Iterable[Future[list[Played]]]) -> list[Future[list[Played]]]:
        """Those that are being played; the others are cancelled."""
        return [future for future in futures if not future.cancel()]

    def renew(self) -> None:
        """Replace the workers: after one has died the executor takes no more work."""
        self.abandon()
        self._open()

    def abandon(self) -> None:
        """Stop the workers in the middle of whatever they do."""
        self._leave.close()
        self._executor.shutdown(cancel_futures=True)
        self._stay.close()

    def close(self) -> None:
        """Wait for the workers to finish, and for their processes to end."""
        self._executor.shutdown()
        self._leave.close()
        self._stay.close()

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self.close()
        else:
            self.abandon()


def _start_server() -> None:
    """Start the server process, deaf to Ctrl-C from the start, and the workers with it.

    A terminal sends Ctrl-C to all; here it is the coordinator's affair, which hears it afterwards.
    """
    resource_tracker.ensure_running()  # ends by letting Ctrl-C through, whatever was before
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
