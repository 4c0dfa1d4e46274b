"""The workers of a Dask cluster, as the coordinator knows them.

Dask hands out the batches, notices who died and plays their batches elsewhere; it is known here by
its client, and by an executor as of `concurrent.futures`. What is added is who may play: each
worker that joins is examined once, and batches go to those found fit.
"""

from __future__ import annotations

import logging
import pickle
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ALL_COMPLETED, FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from joute.contest.config.contest import Contest
from joute.contest.errors import WorkersError
from joute.contest.run.cluster import examine, play_here
from joute.contest.run.cluster.bundle import pack
from joute.contest.run.cluster.worker import Complaint, Demand, fingerprint
from joute.contest.run.isolation import hidden_paths, hosted_bots
from joute.contest.run.tasks import seats_of
from joute.contest.run.workers import Play, PlayedGame
from joute.i18n.recognised import foreign
from joute.i18n.words import Sentence
from joute.play.game import GameSpec

if TYPE_CHECKING:
    from distributed import Client


ANSWER_SECONDS = 4.0  # for a scheduler to answer
LOOK_SECONDS = 0.5  # between looks at who is there

REASONS = ("version", "isolation", "python", "bot", "threads", "joute")


class Refusal(NamedTuple):
    """A worker that is given no games."""

    worker: str  # its address
    reason: str  # one of REASONS
    found: object  # a text, or an error
    wanted: str


Hear = Callable[[Refusal | None], object]
"""Hears of each worker that is refused; None says that nobody is there to play."""


class SchedulerError(WorkersError):
    """No Dask scheduler answers at an address."""

    def __init__(self, address: str, detail: str) -> None:
        super().__init__(Sentence("contest.no_scheduler", address=address, detail=foreign(detail)))
        self.address = address
        self.detail = detail


class RefusedError(WorkersError):
    """None of the workers that are there can play."""

    def __init__(self, refusals: Sequence[Refusal]) -> None:
        super().__init__(Sentence("contest.refused_all"))
        self.refusals = refusals


class DaskPool:
    """Workers that come and go. Raises WorkersError if their scheduler does not answer."""

    insists = True  # Dask gives a batch whose worker died to others

    def __init__(
        self, address: str, demand: Demand, play: Play | None = None, hear: Hear | None = None
    ) -> None:
        self._address = address
        self._demand = msgspec.msgpack.encode(demand)
        self._bots = {bot.seat.name: bot for bot in demand.bots if bot.bundle}
        self._play = play
        self._hear: Hear = hear or (lambda _: None)
        self._ever = False  # whether anybody was ever fit
        self._open()

    def _open(self) -> None:
        self._client = _connected(self._address)
        self._executor = self._client.get_executor(pure=False)
        self._examined: dict[str, Future[Complaint | None]] = {}  # whose answer is awaited
        self._refused: dict[str, Refusal] = {}
        self._fit: list[str] = []
        self._running: dict[Future[list[PlayedGame]], list[str]] = {}
        self._looked = -LOOK_SECONDS
        self._lonely = False  # nobody is there, and that was said

    @property
    def workers(self) -> int:
        return len(self._fit)

    @property
    def waiting(self) -> int:
        """The number of batches that should wait for them: one each, since they are far away.

        Those handed out before somebody joined are not for all, and leave it idle: they come on
        top.
        """
        fit = set(self._fit)
        running = (to for future, to in self._running.items() if not future.done())
        return len(fit) + sum(not fit.issubset(to) for to in running)

    def look(self) -> None:
        """Notices who came and went.

        Raises BrokenExecutor if the scheduler has gone, RefusedError if nobody was ever fit.
        """
        if time.monotonic() - self._looked < LOOK_SECONDS:
            return
        self._check_connected()
        try:
            threads = self._client.nthreads(callback_timeout=ANSWER_SECONDS)
        except (OSError, TimeoutError):
            return  # the connection is found lost, or the next look succeeds
        self._looked = time.monotonic()
        self._fit = [address for address in self._fit if address in threads]
        for gone in self._examined.keys() - threads.keys():
            self._examined.pop(gone).cancel()
        for address in threads.keys() - self._examined.keys() - self._refused.keys():
            if address not in self._fit:
                self._examine(address, threads[address])
        self._hear_answers()
        self._recall(threads)
        if not threads and not self._lonely:
            self._hear(None)
        self._lonely = not threads
        self._ever = self._ever or bool(self._fit)
        if threads and not self._ever and threads.keys() <= self._refused.keys():
            raise RefusedError([self._refused[address] for address in sorted(threads)])

    def _examine(self, address: str, threads: int) -> None:
        if threads != 1:
            self._refuse(address, Complaint("threads", str(threads), "1"))
            return
        self._examined[address] = self._executor.submit(
            examine, fingerprint(), self._demand, workers=[address]
        )

    def _hear_answers(self) -> None:
        """Sorts those examined into the fit and the refused."""
        for address, future in list(self._examined.items()):
            if not future.done():
                continue
            del self._examined[address]
            if future.cancelled():
                continue  # the connection was lost
            error = future.exception()
            # Without Joute, or with one that has no such function, a worker cannot be asked.
            complaint = future.result() if error is None else Complaint("joute", foreign(error), "")
            if complaint is None:
                self._fit.append(address)
            else:
                self._refuse(address, complaint)

    def _refuse(self, address: str, complaint: Complaint) -> None:
        self._refused[address] = Refusal(address, *complaint)
        self._hear(self._refused[address])

    def _recall(self, there: Iterable[str]) -> None:
        """Takes back the batches whose workers have all gone: Dask keeps them for these alone."""
        self._running = {each: to for each, to in self._running.items() if not each.done()}
        for future, addressees in self._running.items():
            if set(addressees).isdisjoint(there):
                future.cancel()

    def submit(self, specs: Sequence[GameSpec]) -> Future[list[PlayedGame]]:
        self._check_connected()
        names = {seat.name for spec in specs for seat in spec.bots}
        bots = {name: self._bots[name] for name in names if name in self._bots}
        batch = pickle.dumps((self._play, tuple(specs), bots))
        future: Future[list[PlayedGame]] = self._executor.submit(
            play_here, batch, workers=self._fit
        )
        self._running[future] = self._fit.copy()
        return future

    def _check_connected(self) -> None:
        if self._client.status != "running":
            raise BrokenExecutor(f"the Dask scheduler at {self._address} has gone")

    def renew(self) -> None:
        self.abandon()
        self._open()

    def wait(
        self, futures: Iterable[Future[list[PlayedGame]]], seconds: float, whole: bool = False
    ) -> None:
        wait(futures, seconds, ALL_COMPLETED if whole else FIRST_COMPLETED)

    def fewer(self) -> bool:
        return False  # each machine of a cluster has its own workers

    def begun(self, futures: Iterable[Future[list[PlayedGame]]]) -> list[Future[list[PlayedGame]]]:
        return list(futures)  # which of them are being played is not known here

    def abandon(self) -> None:
        """Takes back what is not finished; workers drop the results of what they play."""
        with suppress(OSError, TimeoutError):
            self._executor.shutdown(wait=False)
        self.close()

    def close(self) -> None:
        """Leaves the cluster."""
        with suppress(OSError, TimeoutError):
            self._client.close(timeout=ANSWER_SECONDS)

    def __enter__(self) -> DaskPool:
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None:
            self.close()
        else:
            self.abandon()


def _connected(address: str) -> Client:
    try:
        from distributed import Client
    except ImportError as error:
        raise WorkersError(Sentence("error.run.no_dask", package=error.name)) from None
    for name in ("distributed", "distributed.client"):
        # A lost connection is told in our words, without the stacks of Dask's own threads.
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        _check(address)
        return Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise SchedulerError(address, str(error).strip()) from None


def _check(address: str) -> None:
    """Raises ValueError for an address that a client cannot even try."""
    from distributed.comm.addressing import parse_address, parse_host_port
    from distributed.comm.registry import get_backend
    from distributed.security import Security

    scheme, place = parse_address(address)
    get_backend(scheme)
    parse_host_port(place)
    if scheme == "tls" and Security().get_connection_args("client").get("ssl_context") is None:
        raise ValueError("tls:// needs certificates: distributed.comm.tls in Dask's configuration")


def demand_of(contest: Contest, trust: bool) -> Demand:
    """The demand on workers that play a contest; with `trust` its bots need no isolation."""
    hidden = hidden_paths(contest)
    packed = [pack(seat, hidden) for seat in seats_of(contest).values()]
    bundles = {bundle.name: bundle for _, bundle in packed if bundle is not None}
    isolation = contest.limits.isolation if hosted_bots(contest) and not trust else None
    return Demand(isolation, tuple(bot for bot, _ in packed), tuple(bundles.values()))
