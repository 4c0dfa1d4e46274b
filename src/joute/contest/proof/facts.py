"""Facts of records, read by replaying them, in worker processes where there are many."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import forkserver
from typing import Any, TypeVar

import msgspec

from joute.core.registry import VARIABLE as GAMES_VARIABLE
from joute.i18n.words import Sentence
from joute.machine import Closing

T = TypeVar("T")

BATCH = 32  # records that a worker replays at once
MANY = 200  # records that are worth a worker process each
_SAFE_PATH = "PYTHONSAFEPATH"
START_UP = "start-up"  # the fault of a bot that was not asked for an action


class RecordFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The facts that a record tells of its game; lists are by seat. Empty if it is not true."""

    ok: bool
    line: int | None = None  # the first that is not true, from 1
    reason: object = ""
    checked: bool = True  # False where the rules it was played by are not at hand
    chain: str = ""
    header: dict[str, Any] = {}
    end: dict[str, Any] = {}
    faults: list[dict[str, Any]] = []
    asked: list[int] = []
    cpu_ms: list[float] = []


def facts_of(content: bytes) -> RecordFacts:
    """Replays a record and tells what it says."""
    from joute.play.verify import proved

    verdict, record = proved(content)
    if record is None:
        return RecordFacts(
            ok=False, line=verdict.line, reason=verdict.reason, checked=verdict.checked
        )
    try:
        bots = [(bot["name"] + bot["content"] + bot["isolation"]) for bot in record.header["bots"]]
        if not isinstance(record.end["seed"], str):
            raise TypeError("seed")
        faults, asked, cpu_ms = [], [0] * len(bots), [0.0] * len(bots)
        for line in record.plies:
            if line["by"] != "bot":
                continue
            seat = line["player"]
            if "fault" in line:
                said = {name: line[name] for name in ("ply", "fault", "detail", "cost")}
                faults.append({"seat": seat, **said})
            if line.get("fault") != START_UP:
                asked[seat] += 1
                cpu_ms[seat] += line["cpu_ms"]
    except (KeyError, TypeError, IndexError) as error:
        return RecordFacts(ok=False, reason=Sentence("error.record.lacks", error=error))
    return RecordFacts(
        ok=True,
        chain=record.chain,
        header=record.header,
        end=record.end,
        faults=faults,
        asked=asked,
        cpu_ms=cpu_ms,
    )


def _all_facts(frames: Sequence[bytes | None]) -> list[RecordFacts | None]:
    """The facts of packed records; None where there is no record."""
    from joute.store.columns import unpack

    found: list[RecordFacts | None] = []
    for frame in frames:
        try:
            found.append(None if frame is None else facts_of(unpack(frame)))
        except ValueError as error:
            found.append(RecordFacts(ok=False, reason=error))
    return found


class Readers(Closing):
    """Reads records: here, or in worker processes where there are many. A context manager."""

    def __init__(self, records: int, workers: int | None = None) -> None:
        most = workers or os.cpu_count() or 1
        self._workers = min(most, records // MANY)
        self._executor: ProcessPoolExecutor | None = None

    def read(
        self, frames: Iterable[tuple[T, bytes | None]]
    ) -> Iterator[tuple[T, RecordFacts | None]]:
        """The facts of each packed record, in the same order, with the value beside it."""
        source = iter(frames)
        if self._workers < 2:
            for each, frame in source:
                yield each, _all_facts([frame])[0]
            return
        _start_server()
        self._executor = ProcessPoolExecutor(
            self._workers,
            multiprocessing.get_context("forkserver"),
            _prepare,
            (os.environ.get(GAMES_VARIABLE, ""),),
        )
        running: deque[tuple[list[T], Future[list[RecordFacts | None]]]] = deque()
        while True:
            while len(running) < 3 * self._workers and (batch := list(islice(source, BATCH))):
                given = [frame for _, frame in batch]
                running.append(
                    ([each for each, _ in batch], self._executor.submit(_all_facts, given))
                )
            if not running:
                return
            whose, future = running.popleft()
            yield from zip(whose, future.result(), strict=True)

    def close(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)


def _start_server() -> None:
    """Starts the process that workers are forked from, unless it runs.

    As with OWN_PYTHON it imports nothing from the folder where it is started.
    """
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        forkserver.ensure_running()
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before


def _prepare(games: str) -> None:
    """Leaves Ctrl-C to whoever started this worker, and knows the games of its paths.

    The process that workers are forked from may be older than what the environment says.
    """
    import signal

    os.environ[GAMES_VARIABLE] = games
    signal.signal(signal.SIGINT, signal.SIG_IGN)
