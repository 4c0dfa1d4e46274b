"""A queue and cache of results that take long to compute.

One is computed at a time, those of visitors who have used least come first, and visitors who ask
for the same result share it. The latest results are cached. The time is charged to the visitor who
asked first (`rate_limits.py`), in seconds of CPU.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, TypeVar

from fastapi import HTTPException
from starlette.requests import HTTPConnection

from joute.i18n.words import say
from joute.web.rate_limits import limits_of, visitor_of

T = TypeVar("T")

KEPT = 64 * 1024 * 1024  # bytes of memory, or thereabouts, of all cached results
WAITING = 200  # results that may wait to be computed
OF_A_VISITOR = 48  # of these: a wall of games asks for many at once
_PACE = "computing"


@dataclass
class _CacheEntry:
    value: Any
    size: int


@dataclass(order=True)
class _Job:
    cost: float  # what the address has used, and waits for: the least comes first
    number: int  # then who came first


class ComputeQueue:
    """The queue of all visitors. Its methods are for the loop that serves them."""

    def __init__(self, most: int = KEPT) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, _CacheEntry] = OrderedDict()
        self._size = 0
        self._made: dict[Hashable, asyncio.Future[Any]] = {}  # that wait or are computed
        self._waiting: list[tuple[_Job, asyncio.Future[None]]] = []
        self._asked: dict[str, int] = {}  # by visitor, how many of them
        self._numbers = itertools.count()
        self._busy = False
        self._pool = ThreadPoolExecutor(1, "computing")

    async def get(
        self,
        connection: HTTPConnection,
        key: Hashable,
        make: Callable[[], T],
        size: Callable[[T], int],
    ) -> T:
        """The result of `make`, cached by a key; `size` gives its bytes of memory, or about that.

        Raises HTTPException: 429 for a visitor who has asked for too much, 503 if too many wait.
        """
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            value: T = kept.value
            return value
        if key not in self._made:
            self._check(connection)
            _, visitor = visitor_of(connection)
            self._asked[visitor] = self._asked.get(visitor, 0) + 1
            making = self._make(connection, key, make, size, self._asked[visitor])
            self._made[key] = asyncio.ensure_future(making)
            self._made[key].add_done_callback(_seen)
        # A visitor who leaves does not cancel it for the others.
        made: T = await asyncio.shield(self._made[key])
        return made

    def _check(self, connection: HTTPConnection) -> None:
        limits_of(connection).need(connection, _PACE)
        _, visitor = visitor_of(connection)
        if len(self._made) >= WAITING or self._asked.get(visitor, 0) >= OF_A_VISITOR:
            raise HTTPException(503, say("web.error.busy"), {"Retry-After": "5"})

    async def _make(
        self,
        connection: HTTPConnection,
        key: Hashable,
        make: Callable[[], T],
        size: Callable[[T], int],
        place: int,
    ) -> T:
        """Computes a result; `place` is its place among those the visitor waits for."""
        _, visitor = visitor_of(connection)
        try:
            await self._turn(limits_of(connection).used(connection, _PACE) + place)
            try:
                value, spent = await self._worked_out(make)
            finally:
                self._next()
            limits_of(connection).charge(connection, _PACE, spent)
            if isinstance(value, BaseException):
                raise value
            self._keep(key, value, size(value))
            return value
        finally:
            del self._made[key]
            self._asked[visitor] -= 1
            if not self._asked[visitor]:
                del self._asked[visitor]

    async def _worked_out(self, make: Callable[[], T]) -> tuple[T | BaseException, float]:
        """The result or the exception, and the seconds of CPU that it took."""

        def work() -> tuple[T | BaseException, float]:
            began = time.thread_time()
            result: T | BaseException
            try:
                result = make()
            except Exception as error:
                result = error
            return result, time.thread_time() - began

        context = copy_context()  # the language of the request
        return await asyncio.get_running_loop().run_in_executor(
            self._pool, lambda: context.run(work)
        )

    async def _turn(self, cost: float) -> None:
        if not self._busy:
            self._busy = True
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (_Job(cost, next(self._numbers)), turn))
        await turn

    def _next(self) -> None:
        self._busy = bool(self._waiting)
        if self._busy:
            heapq.heappop(self._waiting)[1].set_result(None)

    def _keep(self, key: Hashable, value: Any, size: int) -> None:
        self._kept[key] = _CacheEntry(value, size)
        self._size += size
        while self._size > self._most and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self._size -= oldest.size

    def close(self) -> None:
        """Computes nothing more."""
        self._pool.shutdown(cancel_futures=True)


def _seen(made: asyncio.Future[Any]) -> None:
    """Reads the exception, so that asyncio does not warn where nobody waits for it."""
    if not made.cancelled():
        made.exception()
